-- Where the Murphi tools differ: assigning an undefined variable. In CMurphi, whose meaning Tideline follows, `y := x`
-- copies the undefined value, and an undefined scalarset may be compared: it equals nothing but another undefined one.
-- Rumur, and Tideline with --strict-undefined, report the first such read as an error.
--
-- figures: independent Python explorer (both readings); rumur 2022.08.20 (the strict verdict)
-- expect: verdict=holds states=5 edges=6 orbits=4 levels=3
-- expect: verdict=violated reason=error property="undefined value" trace=0 options="--strict-undefined"

const
  N: 2;

type
  Colour: scalarset(N);
  Small: 0..2;

var
  hand, table: Colour;
  x, y: Small;
  phase: 0..3;

startstate "all undefined but the phase"
begin
  phase := 0;
end;

rule "copy the undefined number"
  phase = 0
==>
begin
  y := x;
  phase := 1;
end;

rule "compare undefined colours"
  phase = 1
==>
begin
  if hand = table then
    phase := 2;
  end;
end;

ruleset c: Colour do
  rule "pick a colour"
    phase = 2 & isundefined(x)
  ==>
  begin
    hand := c;
    x := 1;
    phase := 3;
  end;
end;

rule "copy the undefined colour over it"
  phase = 3 & hand != table
==>
begin
  hand := table;
  x := y;
  phase := 2;
end;

invariant "y never gets a value"
  isundefined(y);
