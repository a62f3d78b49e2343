-- A value parameter is given a value outside its type: the third step calls the function with 3.
--
-- figures: rumur 2022.08.20 (verdict), by hand (trace)
-- expect: verdict=violated reason=error property="value out of range" trace=2

type
  Small: 0..2;
  Large: 0..9;

var
  x: Large;

function double(s: Small): Large;
begin
  return 2 * s;
end;

startstate "one"
begin
  x := 1;
end;

rule "step"
  x < 9
==>
begin
  if double(x) >= 0 then
    x := x + 1;
  end;
end;
