-- Dining philosophers (E. W. Dijkstra, "Hierarchical ordering of sequential processes", 1971), the version that goes
-- wrong: everybody takes the left fork first and waits for the right one while holding it. The shortest way into the
-- deadlock is N steps: each takes one fork.
--
-- figures: rumur 2022.08.20 (verdict), independent Python explorer (all)
-- expect: verdict=violated reason=deadlock trace=5
-- expect: verdict=violated reason=deadlock trace=8 options="--define N=8"
-- expect: verdict=holds states=392 edges=1415 levels=13 options="--deadlock off"

const
  N: 5;

type
  Seat: 0..N - 1;
  Mood: enum { Thinking, HoldsLeft, Eating, PutsLeft };

var
  mood: array[Seat] of Mood;
  on_table: array[Seat] of boolean;  -- fork i lies to the left of seat i

startstate "all think"
begin
  for s: Seat do
    mood[s] := Thinking;
    on_table[s] := true;
  end;
end;

ruleset s: Seat do
  alias left: on_table[s]; right: on_table[(s + 1) % N] do

    rule "take the left fork"
      mood[s] = Thinking & left
    ==>
    begin
      left := false;
      mood[s] := HoldsLeft;
    end;

    rule "take the right fork"
      mood[s] = HoldsLeft & right
    ==>
    begin
      right := false;
      mood[s] := Eating;
    end;

    rule "put the right fork back"
      mood[s] = Eating
    ==>
    begin
      right := true;
      mood[s] := PutsLeft;
    end;

    rule "put the left fork back"
      mood[s] = PutsLeft
    ==>
    begin
      left := true;
      mood[s] := Thinking;
    end;

  end;
end;

invariant "neighbours do not eat together"
  forall s: Seat do
    !(mood[s] = Eating & mood[(s + 1) % N] = Eating)
  end;
