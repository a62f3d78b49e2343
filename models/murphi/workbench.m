-- A bench of small routines, written to exercise the sequential part of the language: functions and procedures, value
-- and var parameters, recursion, aliases, switch with lists of cases and without a match, while, and for in both
-- forms, upwards, downwards and with steps. The state is a row of numbers; the rules set, sort, turn and fold it, and
-- the routines check each other by assertions.
--
-- figures: rumur 2022.08.20 (states, edges), independent Python explorer (all)
-- expect: verdict=holds states=879 edges=12254 levels=5

const
  LENGTH: 4;
  TOP: 4;
  SUM_TOP: LENGTH * TOP;

type
  Index: 0..LENGTH - 1;
  Number: 0..TOP;
  Count: 0..LENGTH;
  Sum: 0..SUM_TOP;
  Row: array[Index] of Number;
  Shape: enum { Flat, Rising, Falling, Mixed };

var
  row: Row;
  measure: Sum;

procedure swap(var a: Number; var b: Number);
var
  keep: Number;
begin
  keep := a;
  a := b;
  b := keep;
end;

-- How often n occurs in the row.
function occurrences(r: Row; n: Number): Count;
var
  found: Count;
begin
  found := 0;
  for i: Index do
    if r[i] = n then
      found := found + 1;
    end;
  end;
  return found;
end;

-- Sorts in place by insertion.
procedure sort(var r: Row);
var
  j: Index;
begin
  for i := 1 to LENGTH - 1 do
    j := i;
    while j > 0 & (j > 0 -> r[j - 1] > r[j]) do
      swap(r[j - 1], r[j]);
      j := j - 1;
    end;
  end;
end;

-- Turns the row round; the upper index runs down beside the lower one.
procedure turn(var r: Row);
var
  low: Index;
begin
  low := 0;
  for high := LENGTH - 1 to 0 by -1 do
    if low < high then
      swap(r[low], r[high]);
      low := low + 1;
    end;
  end;
end;

-- Euclid's algorithm (Elements, book VII), by recursion.
function gcd(a: Sum; b: Sum): Sum;
begin
  if b = 0 then
    return a;
  end;
  return gcd(b, a % b);
end;

-- The sum of r[from], r[from + 1], ..., by recursion.
function sum_from(r: Row; from: Index): Sum;
begin
  if from = LENGTH - 1 then
    return r[from];
  else
    return r[from] + sum_from(r, from + 1);
  end;
end;

function shape(r: Row): Shape;
var
  up, down: Count;
begin
  up := 0;
  down := 0;
  for i := 0 to LENGTH - 2 do
    alias here: r[i]; next: r[i + 1] do
      if here < next then
        up := up + 1;
      elsif here > next then
        down := down + 1;
      end;
    end;
  end;
  if up = 0 & down = 0 then
    return Flat;
  elsif down = 0 then
    return Rising;
  elsif up = 0 then
    return Falling;
  else
    return Mixed;
  end;
end;

startstate "zeros"
begin
  clear row;
  clear measure;
end;

ruleset i: Index; n: Number do
  rule "set a number"
    measure = 0 & row[i] != n
  ==>
  begin
    row[i] := n;
  end;
end;

rule "measure the row"
  measure = 0
==>
begin
  switch shape(row)
    case Flat, Rising:
      measure := sum_from(row, 0);
    case Falling:
      measure := gcd(row[0], row[LENGTH - 1]);
    -- mixed rows are not measured
  end;
end;

rule "sum up every second number"
  measure = 0 & row[0] = TOP
==>
var
  total: Sum;
begin
  total := 0;
  for i := 0 to LENGTH - 1 by 2 do
    total := total + row[i];
  end;
  measure := total;
end;

rule "sort"
  measure = 0
==>
var
  before: Row;
begin
  before := row;
  sort(row);
  assert shape(row) = Flat | shape(row) = Rising "a sorted row does not fall";
  assert forall n: Number do occurrences(row, n) = occurrences(before, n) end "sorting keeps the numbers";
end;

rule "turn round"
  measure = 0
==>
var
  before: Row;
begin
  before := row;
  turn(row);
  assert forall i: Index do row[i] = before[LENGTH - 1 - i] end "turning mirrors the row";
  assert sum_from(row, 0) = sum_from(before, 0) "turning keeps the sum";
end;

rule "forget the measure"
  measure != 0
==>
begin
  measure := 0;
end;

invariant "the greatest common divisor divides"
  (measure > 0 & shape(row) = Falling & row[0] != TOP)
    -> (row[0] % measure = 0 & row[LENGTH - 1] % measure = 0);
