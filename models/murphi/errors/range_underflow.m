-- A value leaves its range at the lower end: a range that starts below zero, left on the fifth step down.
--
-- figures: rumur 2022.08.20 (verdict), by hand (trace)
-- expect: verdict=violated reason=error property="value out of range" trace=4

var
  depth: -4..4;

startstate "sea level"
begin
  depth := 0;
end;

rule "dive"
begin
  depth := depth - 1;
end;

rule "rise"
  depth < 4
==>
begin
  depth := depth + 1;
end;
