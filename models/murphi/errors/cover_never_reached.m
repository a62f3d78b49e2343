-- A cover property that no reachable state fulfils: the two clocks always show the same parity.
--
-- figures: rumur 2022.08.20 (verdict), by hand (states, edges, levels)
-- expect: verdict=violated reason=cover property="one is even and one is odd" states=18 edges=36 levels=7

type
  Hour: 0..5;

var
  left, right: Hour;

startstate "both at zero"
begin
  left := 0;
  right := 0;
end;

rule "one hour passes on both"
begin
  left := (left + 1) % 6;
  right := (right + 1) % 6;
end;

rule "the left clock jumps two hours"
begin
  left := (left + 2) % 6;
end;

cover "both show different hours"
  left != right;

cover "one is even and one is odd"
  left % 2 != right % 2;
