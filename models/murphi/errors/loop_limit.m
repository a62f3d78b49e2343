-- A while loop that does not end: the second step starts one whose condition never becomes false, and the limit on
-- the number of iterations stops it.
--
-- figures: by hand; independent Python explorer
-- expect: verdict=violated reason=error property="loop or recursion limit" trace=1

var
  started: boolean;
  x: 0..6;

startstate "at rest"
begin
  started := false;
  x := 0;
end;

rule "start"
  !started
==>
begin
  started := true;
end;

rule "spin past the even numbers"
  started
==>
begin
  while x != 5 do
    x := (x + 2) % 6;
  end;
end;
