-- A share is computed for nobody: the divisor reaches zero after three guests have left.
--
-- figures: rumur 2022.08.20 (verdict), by hand (trace)
-- expect: verdict=violated reason=error property="arithmetic error" trace=3

var
  guests: 0..3;
  share: 0..12;

startstate "three guests"
begin
  guests := 3;
  share := 4;
end;

rule "a guest leaves"
  guests > 0
==>
begin
  guests := guests - 1;
end;

rule "share the cake"
begin
  share := 12 / guests;
end;
