-- A function that calls itself for ever, in the second step: a limit on the depth of calls stops it.
--
-- figures: by hand
-- expect: verdict=violated reason=error property="loop or recursion limit" trace=1

type
  Digit: 0..9;

var
  ready: boolean;
  x: Digit;

function descend(n: Digit): Digit;
begin
  return descend((n + 1) % 10);
end;

startstate "not ready"
begin
  ready := false;
  x := 0;
end;

rule "get ready"
  !ready
==>
begin
  ready := true;
end;

rule "descend"
  ready
==>
begin
  x := descend(x);
end;
