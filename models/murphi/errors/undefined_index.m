-- An array is indexed with an undefined value in the first step.
--
-- figures: rumur 2022.08.20 (verdict), by hand (trace)
-- expect: verdict=violated reason=error property="undefined value" trace=0

type
  Slot: 1..4;

var
  filled: array[Slot] of boolean;
  cursor: Slot;

startstate "cursor nowhere"
begin
  clear filled;
end;

rule "fill"
begin
  filled[cursor] := true;
end;
