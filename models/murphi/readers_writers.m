-- A readers-writer lock in which waiting writers go first (P.-J. Courtois, F. Heymans, D. Parnas, "Concurrent
-- control with readers and writers", 1971, second problem), written as a monitor: a counter of readers inside, a
-- flag for the writer, and a counter of waiting writers that holds new readers back. A reader may upgrade to a
-- writer if it is alone.
--
-- figures: rumur 2022.08.20 (states, edges, orbits of the first), independent Python explorer (all)
-- expect: verdict=holds states=188 edges=812 orbits=47 levels=8
-- expect: verdict=holds states=46256 edges=426480 orbits=247 levels=18 options="--define READERS=7 --define WRITERS=4"

const
  READERS: 3;
  WRITERS: 2;

type
  Reader: scalarset(READERS);
  Writer: scalarset(WRITERS);
  ReaderState: enum { ROut, RWaiting, RReading, RUpgraded };
  WriterState: enum { WOut, WWaiting, WWriting };

var
  reader: array[Reader] of ReaderState;
  writer: array[Writer] of WriterState;
  inside: 0..READERS;
  queued: 0..WRITERS;
  writing: boolean;

startstate "nobody here"
begin
  for r: Reader do reader[r] := ROut; end;
  for w: Writer do writer[w] := WOut; end;
  inside := 0;
  queued := 0;
  writing := false;
end;

ruleset r: Reader do

  rule "reader arrives"
    reader[r] = ROut
  ==>
  begin
    reader[r] := RWaiting;
  end;

  rule "reader enters"
    reader[r] = RWaiting & !writing & queued = 0
  ==>
  begin
    inside := inside + 1;
    reader[r] := RReading;
  end;

  rule "reader gives up"
    reader[r] = RWaiting & queued > 0
  ==>
  begin
    reader[r] := ROut;
  end;

  rule "reader upgrades"
    reader[r] = RReading & inside = 1
  ==>
  begin
    inside := 0;
    writing := true;
    reader[r] := RUpgraded;
  end;

  rule "reader downgrades"
    reader[r] = RUpgraded
  ==>
  begin
    writing := false;
    inside := 1;
    reader[r] := RReading;
  end;

  rule "reader leaves"
    reader[r] = RReading
  ==>
  begin
    inside := inside - 1;
    reader[r] := ROut;
  end;

end;

ruleset w: Writer do

  rule "writer arrives"
    writer[w] = WOut
  ==>
  begin
    queued := queued + 1;
    writer[w] := WWaiting;
  end;

  rule "writer enters"
    writer[w] = WWaiting & !writing & inside = 0
  ==>
  begin
    queued := queued - 1;
    writing := true;
    writer[w] := WWriting;
  end;

  rule "writer leaves"
    writer[w] = WWriting
  ==>
  begin
    writing := false;
    writer[w] := WOut;
  end;

end;

invariant "a writer is alone"
  forall w: Writer do
    writer[w] = WWriting
      -> (inside = 0 & forall v: Writer do v = w | writer[v] != WWriting end
          & forall r: Reader do reader[r] != RReading & reader[r] != RUpgraded end)
  end;

ruleset r: Reader do
  invariant "an upgraded reader is alone"
    reader[r] = RUpgraded
      -> (inside = 0 & forall w: Writer do writer[w] != WWriting end
          & forall q: Reader do q = r | (reader[q] != RReading & reader[q] != RUpgraded) end);
end;

invariant "the counter tells the truth"
  (inside = 0) = forall r: Reader do reader[r] != RReading end;
