-- An invariant that fails already in a start state, the second of three.
--
-- figures: rumur 2022.08.20 (verdict), by hand (trace)
-- expect: verdict=violated reason=invariant property="the scale never shows five" trace=0

var
  weight: 0..9;

ruleset w: 4..6 do
  startstate "some weight"
  begin
    weight := w;
  end;
end;

rule "add one and start again"
begin
  weight := (weight + 1) % 10;
end;

invariant "the scale never shows five"
  weight != 5;
