-- A counter that is pushed beyond its range: the fourth step assigns 4 to a variable of type 0..3.
--
-- figures: rumur 2022.08.20 (verdict), by hand (trace)
-- expect: verdict=violated reason=error property="value out of range" trace=3

var
  counter: 0..3;

startstate "zero"
begin
  counter := 0;
end;

rule "count up"
begin
  counter := counter + 1;
end;
