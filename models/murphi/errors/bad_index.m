-- The neighbour of the last cell is asked for: the index 5 is outside 1..4 when the cursor has come to the end.
--
-- figures: rumur 2022.08.20 (verdict), by hand (trace)
-- expect: verdict=violated reason=error property="index out of range" trace=3

type
  Slot: 1..4;

var
  height: array[Slot] of 0..1;
  cursor: Slot;

startstate "at the first cell"
begin
  clear height;
  cursor := 1;
end;

rule "look ahead and move on"
begin
  if height[cursor + 1] = 0 then
    cursor := cursor + 1;
  end;
end;
