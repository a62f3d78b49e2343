-- A start rule that fails for one of its parameters: there is no state yet, and so no trace.
--
-- figures: rumur 2022.08.20 (verdict)
-- expect: verdict=violated reason=error property="value out of range"

var
  level: 0..5;

ruleset half: 1..3 do
  startstate "twice the half"
  begin
    level := 2 * half;
  end;
end;

rule "rise"
begin
  level := (level + 1) % 6;
end;
