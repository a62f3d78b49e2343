-- A remainder by zero, raised while an invariant is evaluated: the second step makes the divisor zero.
--
-- figures: rumur 2022.08.20 (verdict), by hand (trace)
-- expect: verdict=violated reason=error property="arithmetic error" trace=2

var
  step: 0..2;

startstate "two"
begin
  step := 2;
end;

rule "shorten the step"
  step > 0
==>
begin
  step := step - 1;
end;

invariant "six is a multiple of the step"
  6 % step = 0;
