-- Dining philosophers without the deadlock: forks are numbered and everybody takes the lower number first (the
-- resource hierarchy of E. W. Dijkstra, 1965/1971), so the last philosopher reaches to the other side. Compare
-- philosophers.m.
--
-- figures: rumur 2022.08.20 (states, edges), independent Python explorer (all)
-- expect: verdict=holds states=261 edges=876 levels=12
-- expect: verdict=holds states=31056 edges=194002 levels=24 options="--define N=9"

const
  N: 5;

type
  Seat: 0..N - 1;
  Mood: enum { Thinking, HoldsFirst, Eating, PutsFirst };

var
  mood: array[Seat] of Mood;
  holder: array[Seat] of Seat;  -- of fork i; undefined: on the table

-- Seat s eats with the forks s and (s + 1) mod N.
function first_fork(s: Seat): Seat;
begin
  return s = N - 1 ? 0 : s;
end;

function second_fork(s: Seat): Seat;
begin
  return s = N - 1 ? N - 1 : s + 1;
end;

procedure take(fork: Seat; s: Seat);
begin
  assert isundefined(holder[fork]) "only a fork on the table is taken";
  holder[fork] := s;
end;

procedure put_back(fork: Seat; s: Seat);
begin
  assert holder[fork] = s "only the holder puts a fork back";
  undefine holder[fork];
end;

startstate "all think"
begin
  undefine holder;
  for s: Seat do
    mood[s] := Thinking;
  end;
end;

ruleset s: Seat do

  rule "take the lower fork"
    mood[s] = Thinking & isundefined(holder[first_fork(s)])
  ==>
  begin
    take(first_fork(s), s);
    mood[s] := HoldsFirst;
  end;

  rule "take the higher fork"
    mood[s] = HoldsFirst & isundefined(holder[second_fork(s)])
  ==>
  begin
    take(second_fork(s), s);
    mood[s] := Eating;
  end;

  rule "put the higher fork back"
    mood[s] = Eating
  ==>
  begin
    put_back(second_fork(s), s);
    mood[s] := PutsFirst;
  end;

  rule "put the lower fork back"
    mood[s] = PutsFirst
  ==>
  begin
    put_back(first_fork(s), s);
    mood[s] := Thinking;
  end;

end;

invariant "neighbours do not eat together"
  forall s: Seat do
    !(mood[s] = Eating & mood[(s + 1) % N] = Eating)
  end;
