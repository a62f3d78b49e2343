-- Peterson's mutual exclusion for two processes (G. L. Peterson, "Myths about the mutual exclusion problem",
-- 1981). Every shared variable is read or written in a step of its own: a waiting process looks at the other's
-- flag first and at the turn afterwards, and the other process may act in between.
--
-- figures: rumur 2022.08.20 (states, edges), independent Python explorer (all)
-- expect: verdict=holds states=32 edges=64 levels=7

type
  Process: 0..1;
  Stage: enum { Idle, Flagged, ReadFlag, ReadTurn, Critical };

var
  stage: array[Process] of Stage;
  flag: array[Process] of boolean;
  turn: Process;

startstate "both idle"
begin
  for p: Process do
    stage[p] := Idle;
    flag[p] := false;
  end;
  turn := 0;
end;

ruleset p: Process do
  alias me: stage[p]; other: 1 - p do

    rule "raise the flag"
      me = Idle
    ==>
    begin
      flag[p] := true;
      me := Flagged;
    end;

    rule "give the turn away"
      me = Flagged
    ==>
    begin
      turn := other;
      me := ReadFlag;
    end;

    rule "look at the other flag"
      me = ReadFlag
    ==>
    begin
      if flag[other] then
        me := ReadTurn;
      else
        me := Critical;
      end;
    end;

    rule "look at the turn"
      me = ReadTurn
    ==>
    begin
      if turn = p then
        me := Critical;
      else
        me := ReadFlag;
      end;
    end;

    rule "leave"
      me = Critical
    ==>
    begin
      flag[p] := false;
      me := Idle;
    end;

  end;
end;

invariant "mutual exclusion"
  !(stage[0] = Critical & stage[1] = Critical);

invariant "the flag is up outside Idle"
  forall p: Process do flag[p] = (stage[p] != Idle) end;
