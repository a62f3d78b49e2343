-- A multiset that is too small: the fourth letter does not fit into a box of three.
--
-- figures: by hand; independent Python explorer
-- expect: verdict=violated reason=error property="multiset full" trace=3

type
  Letter: enum { A, B };

var
  box: multiset[3] of Letter;

startstate "empty box"
begin
  undefine box;
end;

ruleset l: Letter do
  rule "drop a letter"
  begin
    multisetadd(l, box);
  end;
end;

choose i: box do
  rule "take a letter out"
  begin
    multisetremove(i, box);
  end;
end;
