-- A deadlock in the sense of CMurphi: in the last state a rule is enabled, but it leads nowhere else.
--
-- figures: rumur 2022.08.20 (verdict, states, edges), by hand (trace, levels)
-- expect: verdict=violated reason=deadlock trace=3
-- expect: verdict=holds states=4 edges=7 levels=3 options="--deadlock off"
-- expect: verdict=holds states=4 edges=7 levels=3 options="--deadlock stuck"

var
  fuel: 0..3;

startstate "full tank"
begin
  fuel := 3;
end;

rule "drive"
  fuel > 0
==>
begin
  fuel := fuel - 1;
end;

rule "stand still"
  true
==>
begin
  fuel := fuel;
end;
