-- Two-phase commit with a coordinator and N workers, as small as it can be, after the Petri net in K. Jensen, L. M.
-- Kristensen and T. Mailund, "The sweep-line state space exploration method" (2012): the coordinator asks, every worker
-- votes, the coordinator decides, those who voted yes acknowledge, and all begins again. The measure is the phase of
-- the coordinator; a sweep visits every state twice, because the way back to the beginning is a step against progress.
--
-- figures: counted by hand, rumur 2022.08.20 (states, edges)
-- expect: verdict=holds states=19 edges=27 levels=6
-- expect: verdict=holds states=55 edges=98 levels=8 options="--define N=3"
--
-- tideline: progress coordinator

const
  N: 2;

type
  Worker: 1..N;
  Phase: enum { Idle, WaitingVotes, WaitingAcknowledgements };
  Place: enum { Asked, VotedYes, VotedNo, Told, Acknowledged, Resting };

var
  coordinator: Phase;
  worker: array [Worker] of Place;

startstate
begin
  coordinator := Idle;
  for w: Worker do worker[w] := Resting; end;
end;

rule "send can-commit"
  coordinator = Idle
==>
begin
  coordinator := WaitingVotes;
  for w: Worker do worker[w] := Asked; end;
end;

ruleset w: Worker do
  rule "vote yes" worker[w] = Asked ==> begin worker[w] := VotedYes; end;
  rule "vote no" worker[w] = Asked ==> begin worker[w] := VotedNo; end;
  rule "receive decision" worker[w] = Told ==> begin worker[w] := Acknowledged; end;
end;

rule "collect votes"
  coordinator = WaitingVotes & forall w: Worker do worker[w] != Asked end
==>
begin
  coordinator := WaitingAcknowledgements;
  for w: Worker do
    if worker[w] = VotedYes then worker[w] := Told; else worker[w] := Resting; end;
  end;
end;

rule "receive acknowledgements"
  coordinator = WaitingAcknowledgements & forall w: Worker do worker[w] != Told end
==>
begin
  coordinator := Idle;
  for w: Worker do worker[w] := Resting; end;
end;

invariant "nobody is told before all have voted"
  coordinator = WaitingVotes -> forall w: Worker do worker[w] != Told & worker[w] != Acknowledged end;
