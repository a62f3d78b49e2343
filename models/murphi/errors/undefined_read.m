-- A variable without a value is used in an expression, two steps after the start.
--
-- figures: rumur 2022.08.20 (verdict), by hand (trace)
-- expect: verdict=violated reason=error property="undefined value" trace=1

type
  Answer: 0..9;

var
  asked: boolean;
  first, second: Answer;

startstate "nothing asked"
begin
  asked := false;
  second := 1;
end;

rule "ask"
  !asked
==>
begin
  asked := true;
end;

rule "add the answer up"
  asked
==>
begin
  second := second + first;
end;
