-- A guard reads a boolean that has lost its value one step before.
--
-- figures: rumur 2022.08.20 (verdict), by hand (trace)
-- expect: verdict=violated reason=error property="undefined value" trace=1

var
  light: boolean;

startstate "light on"
begin
  light := true;
end;

rule "break the switch"
  light
==>
begin
  undefine light;
end;
