-- Two-phase commit (J. Gray, "Notes on data base operating systems", 1978) with a coordinator and N participants
-- over channels that lose nothing, while any process may crash up to CRASHES times in a transaction. Logs survive a
-- crash, everything else is lost. A participant that crashed before it voted aborts alone; one that has voted yes must
-- ask for the outcome when it comes back. A coordinator without a decision in its log aborts when it comes back. When
-- every process has ended the transaction a new one begins, so that the model has no final state.
--
-- figures: rumur 2022.08.20 (states, edges, orbits of the first two), independent Python explorer (all)
-- expect: verdict=holds states=865 edges=2421 orbits=460 levels=14
-- expect: verdict=holds states=13612 edges=60002 orbits=2651 levels=19 options="--define N=3"
-- expect: verdict=holds states=70149 edges=357950 orbits=12921 levels=22 options="--define N=3 --define CRASHES=2"

const
  N: 2;
  CRASHES: 1;

type
  Participant: scalarset(N);
  Decision: enum { Undecided, Commit, Abort };
  Vote: enum { NoVote, Yes, No };
  Phase: enum { Preparing, Deciding, Done };
  Progress: enum { Working, Prepared, Committed, Aborted };

  Link: record  -- one-place channels between the coordinator and a participant
    prepare: boolean;
    vote: Vote;
    outcome: Decision;  -- Undecided: no message
    query: boolean;
    acknowledged: boolean;
  end;

var
  coordinator_up: boolean;
  phase: Phase;
  ballot: array[Participant] of Vote;  -- votes received, lost in a crash
  told: array[Participant] of boolean;  -- the outcome is known to be on the participant's log
  coordinator_log: Decision;

  up: array[Participant] of boolean;
  participant_log: array[Participant] of Progress;

  link: array[Participant] of Link;
  crashes: 0..CRASHES;

procedure begin_transaction();
begin
  coordinator_up := true;
  phase := Preparing;
  coordinator_log := Undecided;
  crashes := 0;
  for p: Participant do
    ballot[p] := NoVote;
    told[p] := false;
    up[p] := true;
    participant_log[p] := Working;
    link[p].prepare := true;
    link[p].vote := NoVote;
    link[p].outcome := Undecided;
    link[p].query := false;
    link[p].acknowledged := false;
  end;
end;

procedure decide(d: Decision);
begin
  coordinator_log := d;
  phase := Deciding;
  for p: Participant do
    ballot[p] := NoVote;
    link[p].outcome := d;
  end;
end;

startstate "first transaction"
begin
  begin_transaction();
end;

----- participants

ruleset p: Participant do
  alias log: participant_log[p]; wire: link[p] do

    rule "vote yes"
      up[p] & wire.prepare & log = Working
    ==>
    begin
      wire.prepare := false;
      log := Prepared;
      wire.vote := Yes;
    end;

    rule "vote no"
      up[p] & wire.prepare & log = Working
    ==>
    begin
      wire.prepare := false;
      log := Aborted;
      wire.vote := No;
    end;

    rule "learn the outcome"
      up[p] & wire.outcome != Undecided
    ==>
    begin
      if wire.outcome = Commit then
        assert log = Prepared | log = Committed "nobody is told to commit what it did not prepare";
        log := Committed;
      else
        assert log != Committed "nobody is told to abort what it committed";
        log := Aborted;
      end;
      wire.outcome := Undecided;
      wire.prepare := false;
      wire.acknowledged := true;
    end;

    rule "participant crashes"
      up[p] & crashes < CRASHES & !told[p]
    ==>
    begin
      up[p] := false;
      crashes := crashes + 1;
    end;

    rule "participant comes back"
      !up[p]
    ==>
    begin
      up[p] := true;
      switch log
        case Working:
          log := Aborted;
          wire.prepare := false;
          wire.vote := No;
        case Prepared:
          wire.query := true;
      end;
    end;

  end;
end;

----- the coordinator

ruleset p: Participant do

  rule "collect a vote"
    coordinator_up & link[p].vote != NoVote
  ==>
  begin
    if phase = Preparing then
      ballot[p] := link[p].vote;
    end;
    link[p].vote := NoVote;
  end;

  rule "answer a query"
    coordinator_up & link[p].query & phase != Preparing
  ==>
  begin
    link[p].query := false;
    link[p].outcome := coordinator_log;
  end;

  rule "collect an acknowledgement"
    coordinator_up & phase = Deciding & link[p].acknowledged
  ==>
  begin
    link[p].acknowledged := false;
    told[p] := true;
  end;

end;

rule "decide to commit"
  coordinator_up & phase = Preparing & forall p: Participant do ballot[p] = Yes end
==>
begin
  decide(Commit);
end;

rule "decide to abort"
  coordinator_up & phase = Preparing & exists p: Participant do ballot[p] = No end
==>
begin
  decide(Abort);
end;

rule "forget the transaction"
  coordinator_up & phase = Deciding & forall p: Participant do told[p] end
==>
begin
  phase := Done;
end;

rule "coordinator crashes"
  coordinator_up & phase != Done & crashes < CRASHES
==>
begin
  coordinator_up := false;
  crashes := crashes + 1;
  for p: Participant do
    ballot[p] := NoVote;
    told[p] := false;
    link[p].acknowledged := false;
  end;
end;

rule "coordinator comes back"
  !coordinator_up
==>
begin
  coordinator_up := true;
  if coordinator_log = Undecided then
    decide(Abort);
  else
    decide(coordinator_log);
  end;
end;

rule "next transaction"
  phase = Done
  & forall p: Participant do
      up[p] & !link[p].query & link[p].outcome = Undecided & link[p].vote = NoVote
    end
==>
begin
  begin_transaction();
end;

----- properties

invariant "all agree"
  !(exists p: Participant do participant_log[p] = Committed end
    & exists p: Participant do participant_log[p] = Aborted end);

invariant "a commit was decided before it was done"
  exists p: Participant do participant_log[p] = Committed end -> coordinator_log = Commit;

invariant "done means that everybody has ended"
  phase = Done -> forall p: Participant do participant_log[p] = Committed | participant_log[p] = Aborted end;
