-- The list-based queue lock of Mellor-Crummey and Scott (J. Mellor-Crummey, M. Scott, "Algorithms for scalable
-- synchronization on shared-memory multiprocessors", 1991). Each process spins on a flag of its own; the tail of the
-- queue is changed by an atomic swap and by a compare-and-swap, all other accesses are single reads and writes.
-- Processes are a scalarset; a null pointer is an undefined value, and is never read, only asked for.
--
-- figures: rumur 2022.08.20 (states, edges, orbits), independent Python explorer (all)
-- expect: verdict=holds states=893 edges=2247 orbits=158 levels=27
-- expect: verdict=holds states=15920 edges=52544 orbits=734 levels=40 options="--define N=4"
-- expect: verdict=holds states=343797 edges=1404905 orbits=3301 levels=53 options="--define N=5"

const
  N: 3;

type
  Process: scalarset(N);
  Stage: enum { Idle, Swap, Queued, Link, Spin, Critical, CheckNext, TrySwing, AwaitNext, HandOver };

var
  stage: array[Process] of Stage;
  tail: Process;  -- undefined: the queue is empty
  successor: array[Process] of Process;  -- the link in the process's queue node; undefined: null
  locked: array[Process] of boolean;  -- the spin flag in the process's queue node
  before: array[Process] of Process;  -- what the swap returned

startstate "lock free"
begin
  undefine tail;
  undefine successor;
  undefine before;
  for p: Process do
    stage[p] := Idle;
    locked[p] := false;
  end;
end;

ruleset p: Process do
  alias at: stage[p] do

    rule "acquire: reset my link"
      at = Idle
    ==>
    begin
      undefine successor[p];
      at := Swap;
    end;

    rule "acquire: swap the tail"
      at = Swap
    ==>
    begin
      if isundefined(tail) then
        at := Critical;
      else
        before[p] := tail;
        at := Queued;
      end;
      tail := p;
    end;

    rule "acquire: raise my flag"
      at = Queued
    ==>
    begin
      locked[p] := true;
      at := Link;
    end;

    rule "acquire: link behind"
      at = Link
    ==>
    begin
      successor[before[p]] := p;
      undefine before[p];
      at := Spin;
    end;

    rule "acquire: the flag fell"
      at = Spin & !locked[p]
    ==>
    begin
      at := Critical;
    end;

    rule "release: start"
      at = Critical
    ==>
    begin
      at := CheckNext;
    end;

    rule "release: is somebody behind me"
      at = CheckNext
    ==>
    begin
      if isundefined(successor[p]) then
        at := TrySwing;
      else
        at := HandOver;
      end;
    end;

    rule "release: swing the tail back"
      at = TrySwing
    ==>
    begin
      if tail = p then
        undefine tail;
        at := Idle;
      else
        at := AwaitNext;
      end;
    end;

    rule "release: the one behind has linked itself"
      at = AwaitNext & !isundefined(successor[p])
    ==>
    begin
      at := HandOver;
    end;

    rule "release: hand over"
      at = HandOver
    ==>
    begin
      locked[successor[p]] := false;
      at := Idle;
    end;

  end;
end;

invariant "mutual exclusion"
  forall p: Process do
    forall q: Process do
      p != q -> !(stage[p] = Critical & stage[q] = Critical)
    end
  end;

invariant "an empty queue means nobody holds or awaits the lock"
  isundefined(tail) -> forall p: Process do stage[p] = Idle | stage[p] = Swap end;
