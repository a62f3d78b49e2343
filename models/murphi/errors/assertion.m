-- An assertion fails: two clerks hand out the same number after both have read the counter.
--
-- figures: rumur 2022.08.20 (verdict), independent Python explorer (trace)
-- expect: verdict=violated reason=assertion property="every number is handed out once" trace=3

type
  Clerk: 1..2;
  Number: 0..3;

var
  counter: Number;
  noted: array[Clerk] of Number;
  handed_out: array[Number] of boolean;

startstate "morning"
begin
  counter := 0;
  undefine noted;
  clear handed_out;
end;

ruleset c: Clerk do

  rule "note the number"
    isundefined(noted[c])
  ==>
  begin
    noted[c] := counter;
  end;

  rule "hand it out"
    !isundefined(noted[c]) & counter < 3
  ==>
  begin
    assert !handed_out[noted[c]] "every number is handed out once";
    handed_out[noted[c]] := true;
    counter := noted[c] + 1;
    undefine noted[c];
  end;

end;
