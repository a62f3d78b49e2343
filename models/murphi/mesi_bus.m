-- A snooping MESI protocol on one shared bus (M. Papamarcos, J. Patel, "A low-overhead coherence solution for
-- multiprocessors with private cache memories", 1984; the "Illinois" protocol). A cache that misses waits for the
-- bus; the winner's transaction is snooped by the other caches one after another, each in a step of its own and in
-- any order; the requester finishes when all have answered. A cache that holds the line supplies it, and a dirty copy
-- is written to memory on the way.
--
-- figures: rumur 2022.08.20 (states, edges, orbits), independent Python explorer (all)
-- expect: verdict=holds states=8530 edges=26484 orbits=780 levels=27
-- expect: verdict=holds states=32992 edges=135008 orbits=4156 levels=28 options="--define CACHES=2 --define LINES=2"
-- expect: verdict=holds states=135930 edges=517872 orbits=3530 levels=36 options="--define CACHES=4"

const
  CACHES: 3;
  LINES: 1;
  VALUES: 2;

type
  Cache: scalarset(CACHES);
  Line: scalarset(LINES);
  Value: scalarset(VALUES);
  LineState: enum { Invalid, Shared, Exclusive, Modified };
  Transaction: enum { Read, ReadToOwn, Upgrade, WriteBack };

  Entry: record
    state: LineState;
    data: Value;
  end;
  Wish: record
    kind: Transaction;  -- undefined: no wish
    line: Line;
  end;

var
  entry: array[Cache] of array[Line] of Entry;
  memory: array[Line] of Value;
  wish: array[Cache] of Wish;

  -- The bus. `master` is undefined while it is free.
  master: Cache;
  to_snoop: array[Cache] of boolean;
  shared_wire: boolean;
  supplied: Value;  -- undefined: nobody has supplied the line yet

  newest: array[Line] of Value;  -- the value of the last store: for the properties only

procedure drop(var e: Entry);
begin
  e.state := Invalid;
  undefine e.data;
end;

startstate "all invalid"
begin
  undefine wish;
  undefine master;
  undefine supplied;
  shared_wire := false;
  for c: Cache do
    to_snoop[c] := false;
    for l: Line do
      drop(entry[c][l]);
    end;
  end;
  for l: Line do
    for v: Value do
      memory[l] := v;
      newest[l] := v;
    end;
  end;
end;

----- processors

ruleset c: Cache; l: Line do
  alias e: entry[c][l]; w: wish[c] do

    rule "load misses"
      isundefined(w.kind) & e.state = Invalid
    ==>
    begin
      w.kind := Read;
      w.line := l;
    end;

    rule "store needs the bus"
      isundefined(w.kind) & (e.state = Invalid | e.state = Shared)
    ==>
    begin
      if e.state = Invalid then
        w.kind := ReadToOwn;
      else
        w.kind := Upgrade;
      end;
      w.line := l;
    end;

    ruleset v: Value do
      rule "store hits"
        e.state = Exclusive | e.state = Modified
      ==>
      begin
        e.state := Modified;
        e.data := v;
        newest[l] := v;
      end;
    end;

    rule "drop a clean line"
      isundefined(w.kind) & (e.state = Shared | e.state = Exclusive)
    ==>
    begin
      drop(e);
    end;

    rule "a dirty line must go"
      isundefined(w.kind) & e.state = Modified
    ==>
    begin
      w.kind := WriteBack;
      w.line := l;
    end;

  end;
end;

----- the bus

ruleset c: Cache do
  alias w: wish[c] do

    rule "win the bus"
      isundefined(master) & !isundefined(w.kind)
    ==>
    begin
      master := c;
      shared_wire := false;
      -- While the cache waited, a snoop may have taken the line away: the wish adapts itself.
      if w.kind = Upgrade then
        if entry[c][w.line].state = Invalid then
          w.kind := ReadToOwn;
        end;
      end;
      for d: Cache do
        to_snoop[d] := (d != c & w.kind != WriteBack);
      end;
    end;

    rule "snoop"
      !isundefined(master) & to_snoop[c]
    ==>
    begin
      alias line: wish[master].line; kind: wish[master].kind; e: entry[c][line] do
        if e.state != Invalid then
          if e.state = Modified then
            memory[line] := e.data;
          end;
          if kind != Upgrade then
            supplied := e.data;
          end;
          if kind = Read then
            shared_wire := true;
            e.state := Shared;
          else
            drop(e);
          end;
        end;
      end;
      to_snoop[c] := false;
    end;

    rule "finish the transaction"
      !isundefined(master) & (master = c) & forall d: Cache do !to_snoop[d] end
    ==>
    begin
      alias e: entry[c][w.line] do
        switch w.kind
          case Read:
            if isundefined(supplied) then
              e.data := memory[w.line];
            else
              e.data := supplied;
            end;
            if shared_wire then
              e.state := Shared;
            else
              e.state := Exclusive;
            end;
          case ReadToOwn:
            if isundefined(supplied) then
              e.data := memory[w.line];
            else
              e.data := supplied;
            end;
            e.state := Exclusive;
          case Upgrade:
            assert e.state = Shared "an upgrade finds its shared copy";
            e.state := Exclusive;
          case WriteBack:
            if e.state = Modified then
              memory[w.line] := e.data;
              drop(e);
            end;
        end;
      end;
      shared_wire := false;
      undefine supplied;
      undefine w;
      undefine master;
    end;

  end;
end;

----- properties

invariant "an exclusive copy is the only copy"
  forall l: Line do
    forall c: Cache do
      forall d: Cache do
        (c != d & (entry[c][l].state = Exclusive | entry[c][l].state = Modified)) -> entry[d][l].state = Invalid
      end
    end
  end;

invariant "every copy is the newest value"
  forall l: Line do
    forall c: Cache do
      entry[c][l].state != Invalid -> entry[c][l].data = newest[l]
    end
  end;

invariant "memory is the newest value unless a cache is dirty"
  forall l: Line do
    forall c: Cache do entry[c][l].state != Modified end -> memory[l] = newest[l]
  end;
