-- Lamport's bakery (L. Lamport, "A new solution of Dijkstra's concurrent programming problem", 1974) with tickets
-- bounded by MAX_TICKET. Drawing a ticket is not atomic: a process reads the others' tickets one by one while its
-- `choosing` flag is up. When the next ticket would be above the bound it backs off and tries again later, so that
-- the model stays finite; the backing off is ours, the rest is the published algorithm.
--
-- figures: rumur 2022.08.20 (states, edges), independent Python explorer (all)
-- expect: verdict=holds states=351 edges=627 levels=39
-- expect: verdict=holds states=12454 edges=31838 levels=67 options="--define N=3"
-- expect: verdict=holds states=197364 edges=678505 levels=82 options="--define N=4 --define MAX_TICKET=2"

const
  N: 2;
  MAX_TICKET: 3;

type
  Process: 1..N;
  Cursor: 1..N + 1;
  Ticket: 0..MAX_TICKET;  -- 0: no ticket
  Stage: enum { Idle, Scanning, WaitDoorway, WaitTicket, Critical };

var
  stage: array[Process] of Stage;
  choosing: array[Process] of boolean;
  ticket: array[Process] of Ticket;
  cursor: array[Process] of Cursor;  -- the process to be looked at next
  highest: array[Process] of Ticket;  -- the highest ticket seen in the scan

-- Does process p stand before process q in the queue?
function stands_before(p: Process; q: Process): boolean;
begin
  return ticket[p] < ticket[q] | (ticket[p] = ticket[q] & p < q);
end;

startstate "nobody in the shop"
begin
  for p: Process do
    stage[p] := Idle;
    choosing[p] := false;
    ticket[p] := 0;
    cursor[p] := 1;
    highest[p] := 0;
  end;
end;

ruleset p: Process do

  rule "enter the doorway"
    stage[p] = Idle
  ==>
  begin
    choosing[p] := true;
    stage[p] := Scanning;
  end;

  rule "read one ticket"
    stage[p] = Scanning & cursor[p] <= N
  ==>
  begin
    if ticket[cursor[p]] > highest[p] then
      highest[p] := ticket[cursor[p]];
    end;
    cursor[p] := cursor[p] + 1;
  end;

  rule "take a ticket"
    stage[p] = Scanning & cursor[p] = N + 1
  ==>
  begin
    if highest[p] < MAX_TICKET then
      ticket[p] := highest[p] + 1;
      stage[p] := WaitDoorway;
    else
      stage[p] := Idle;
    end;
    choosing[p] := false;
    highest[p] := 0;
    cursor[p] := 1;
  end;

  rule "the other is out of the doorway"
    stage[p] = WaitDoorway & cursor[p] <= N & !choosing[cursor[p]]
  ==>
  begin
    stage[p] := WaitTicket;
  end;

  rule "the other is not before me"
    stage[p] = WaitTicket & (ticket[cursor[p]] = 0 | !stands_before(cursor[p], p))
  ==>
  begin
    cursor[p] := cursor[p] + 1;
    stage[p] := WaitDoorway;
  end;

  rule "be served"
    stage[p] = WaitDoorway & cursor[p] = N + 1
  ==>
  begin
    cursor[p] := 1;
    stage[p] := Critical;
  end;

  rule "leave the shop"
    stage[p] = Critical
  ==>
  begin
    ticket[p] := 0;
    stage[p] := Idle;
  end;

end;

invariant "mutual exclusion"
  forall p: Process do
    forall q: Process do
      p != q -> !(stage[p] = Critical & stage[q] = Critical)
    end
  end;

invariant "the one served stands before all who hold a ticket and have looked"
  forall p: Process do
    forall q: Process do
      (p != q & stage[p] = Critical & stage[q] = WaitTicket & cursor[q] > p) -> stands_before(p, q)
    end
  end;
