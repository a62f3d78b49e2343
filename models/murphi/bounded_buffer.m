-- Producers and consumers around a bounded buffer, kept by three semaphores (E. W. Dijkstra, "Cooperating sequential
-- processes", 1965): `places` counts the free places, `items` the filled ones, `mutex` guards the buffer. Storing and
-- fetching take two steps each inside the critical region (the cell, then the index), so a missing mutex would show.
-- Items are stamped with a number modulo STAMPS as they enter, and the consumers check that they leave in order.
--
-- figures: rumur 2022.08.20 (states, edges, orbits), independent Python explorer (all)
-- expect: verdict=holds states=4860 edges=12420 orbits=1800 levels=163
-- expect: verdict=holds states=16140 edges=46350 orbits=2100 levels=167 options="--define PRODUCERS=3 --define CONSUMERS=3"

const
  PRODUCERS: 2;
  CONSUMERS: 2;
  PLACES: 3;
  STAMPS: 5;

type
  Producer: scalarset(PRODUCERS);
  Consumer: scalarset(CONSUMERS);
  Index: 0..PLACES - 1;
  Level: 0..PLACES;
  Stamp: 0..STAMPS - 1;
  Step: enum { Away, HasCounter, HasMutex, Moved, Unlocked };

var
  producer: array[Producer] of Step;
  consumer: array[Consumer] of Step;
  cell: array[Index] of Stamp;
  head, tail: Index;
  places, items: Level;
  mutex: 0..1;
  stamp_in, stamp_out: Stamp;

procedure P(var semaphore: Level);
begin
  semaphore := semaphore - 1;
end;

procedure V(var semaphore: Level);
begin
  semaphore := semaphore + 1;
end;

procedure next_index(var i: Index);
begin
  i := (i + 1) % PLACES;
end;

startstate "empty buffer"
begin
  for p: Producer do
    producer[p] := Away;
  end;
  for c: Consumer do
    consumer[c] := Away;
  end;
  undefine cell;
  clear head;
  clear tail;
  places := PLACES;
  items := 0;
  mutex := 1;
  stamp_in := 0;
  stamp_out := 0;
end;

ruleset p: Producer do
  alias at: producer[p] do

    rule "producer: P(places)"
      at = Away & places > 0
    ==>
    begin
      P(places);
      at := HasCounter;
    end;

    rule "producer: P(mutex)"
      at = HasCounter & mutex > 0
    ==>
    begin
      mutex := 0;
      at := HasMutex;
    end;

    rule "producer: store"
      at = HasMutex
    ==>
    begin
      assert isundefined(cell[tail]) "a producer finds an empty cell";
      cell[tail] := stamp_in;
      stamp_in := (stamp_in + 1) % STAMPS;
      at := Moved;
    end;

    rule "producer: V(mutex)"
      at = Moved
    ==>
    begin
      next_index(tail);
      mutex := 1;
      at := Unlocked;
    end;

    rule "producer: V(items)"
      at = Unlocked
    ==>
    begin
      V(items);
      at := Away;
    end;

  end;
end;

ruleset c: Consumer do
  alias at: consumer[c] do

    rule "consumer: P(items)"
      at = Away & items > 0
    ==>
    begin
      P(items);
      at := HasCounter;
    end;

    rule "consumer: P(mutex)"
      at = HasCounter & mutex > 0
    ==>
    begin
      mutex := 0;
      at := HasMutex;
    end;

    rule "consumer: fetch"
      at = HasMutex
    ==>
    begin
      assert !isundefined(cell[head]) "a consumer finds a filled cell";
      assert cell[head] = stamp_out "items leave in the order in which they entered";
      undefine cell[head];
      stamp_out := (stamp_out + 1) % STAMPS;
      at := Moved;
    end;

    rule "consumer: V(mutex)"
      at = Moved
    ==>
    begin
      next_index(head);
      mutex := 1;
      at := Unlocked;
    end;

    rule "consumer: V(places)"
      at = Unlocked
    ==>
    begin
      V(places);
      at := Away;
    end;

  end;
end;

invariant "the counters never promise more than there is"
  places + items <= PLACES;

invariant "the mutex is free exactly when nobody is inside"
  (mutex = 1)
  = (forall p: Producer do producer[p] != HasMutex & producer[p] != Moved end
     & forall c: Consumer do consumer[c] != HasMutex & consumer[c] != Moved end);
