-- Dijkstra's self-stabilising token ring with K states per machine (E. W. Dijkstra, "Self-stabilizing systems in
-- spite of distributed control", 1974). Every assignment of values is a start state: a ring may begin with many
-- privileges. A machine holds the privilege when it differs from the machine before it, the bottom machine when it
-- does not. The ghost variable remembers that the ring has been legitimate (one privilege) and must stay so. Since
-- all K^N assignments are start states, the breadth-first search has no further level.
--
-- figures: rumur 2022.08.20 (states, edges), independent Python explorer (all)
-- expect: verdict=holds states=256 edges=640 levels=0
-- expect: verdict=holds states=46656 edges=202176 levels=0 options="--define N=6 --define K=6 --define CODES=46656"

const
  N: 4;
  K: 4;
  CODES: 256;  -- K to the power of N: one code for every assignment

type
  Machine: 0..N - 1;
  Value: 0..K - 1;
  Count: 0..N;

var
  x: array[Machine] of Value;
  settled: boolean;

function privileged(m: Machine): boolean;
begin
  if m = 0 then
    return x[0] = x[N - 1];
  else
    return x[m] != x[m - 1];
  end;
end;

function privileges(): Count;
var
  n: Count;
begin
  n := 0;
  for m: Machine do
    if privileged(m) then
      n := n + 1;
    end;
  end;
  return n;
end;

-- A start state for every number in base K: the digits are the values.
ruleset code: 0..CODES - 1 do
  startstate "any values"
  var
    rest: 0..CODES;
  begin
    rest := code;
    for m: Machine do
      x[m] := rest % K;
      rest := rest / K;
    end;
    settled := (privileges() = 1);
  end;
end;

ruleset m: Machine do
  rule "make a move"
    privileged(m)
  ==>
  begin
    if m = 0 then
      x[0] := (x[0] + 1) % K;
    else
      x[m] := x[m - 1];
    end;
    settled := settled | privileges() = 1;
  end;
end;

invariant "somebody is always privileged"
  privileges() >= 1;

invariant "once settled, always settled"
  settled = (privileges() = 1);
