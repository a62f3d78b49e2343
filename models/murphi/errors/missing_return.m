-- A function that ends without a return: no case matches in the third step.
--
-- figures: rumur 2022.08.20 (verdict), by hand (trace)
-- expect: verdict=violated reason=error property="function without return" trace=2

type
  Season: enum { Spring, Summer, Autumn, Winter };

var
  now: Season;

function next(s: Season): Season;
begin
  switch s
    case Spring: return Summer;
    case Summer: return Autumn;
  end;
end;

startstate "spring"
begin
  now := Spring;
end;

rule "time passes"
begin
  now := next(now);
end;
