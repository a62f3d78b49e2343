-- The alternating-bit protocol (K. Bartlett, R. Scantlebury, P. Wilkinson, "A note on reliable full-duplex
-- transmission over half-duplex links", 1969) over two first-in first-out channels of CAPACITY places that may lose
-- any message and may deliver the one at the head twice. The sender's items come from a finite alphabet; a ghost
-- variable remembers what was handed in and not yet delivered, and every delivery is checked against it.
--
-- figures: rumur 2022.08.20 (states, edges), independent Python explorer (all)
-- expect: verdict=holds states=186 edges=708 levels=15
-- expect: verdict=holds states=1510 edges=7204 levels=21 options="--define ITEMS=3 --define CAPACITY=4"

const
  ITEMS: 2;
  CAPACITY: 2;

type
  Bit: 0..1;
  Item: 1..ITEMS;
  Place: 0..CAPACITY - 1;
  Fill: 0..CAPACITY;

  Frame: record
    bit: Bit;
    item: Item;
  end;
  Forward: record
    fill: Fill;
    place: array[Place] of Frame;
  end;
  Backward: record
    fill: Fill;
    place: array[Place] of Bit;
  end;

var
  sending: boolean;
  sender_bit: Bit;
  current: Item;  -- undefined while the sender is idle
  receiver_bit: Bit;  -- the bit of the next new frame
  frames: Forward;
  acks: Backward;
  promised: Item;  -- ghost: handed in, not yet delivered; undefined: nothing

procedure push_frame(bit: Bit; item: Item);
begin
  frames.place[frames.fill].bit := bit;
  frames.place[frames.fill].item := item;
  frames.fill := frames.fill + 1;
end;

procedure pop_frame();
begin
  for i := 1 to CAPACITY - 1 do
    frames.place[i - 1] := frames.place[i];
  end;
  undefine frames.place[CAPACITY - 1];
  frames.fill := frames.fill - 1;
end;

procedure push_ack(bit: Bit);
begin
  acks.place[acks.fill] := bit;
  acks.fill := acks.fill + 1;
end;

procedure pop_ack();
begin
  acks.fill := acks.fill - 1;
  for i := 0 to CAPACITY - 2 do
    if i < acks.fill then
      acks.place[i] := acks.place[i + 1];
    end;
  end;
  undefine acks.place[acks.fill];
end;

startstate "quiet line"
begin
  sending := false;
  sender_bit := 0;
  receiver_bit := 0;
  frames.fill := 0;
  acks.fill := 0;
end;

----- the sender

ruleset item: Item do
  rule "hand in an item"
    !sending
  ==>
  begin
    sending := true;
    current := item;
    promised := item;
  end;
end;

rule "send or send again"
  sending & frames.fill < CAPACITY
==>
begin
  push_frame(sender_bit, current);
end;

rule "receive an acknowledgement"
  acks.fill > 0
==>
begin
  if sending & acks.place[0] = sender_bit then
    assert isundefined(promised) "what is acknowledged was delivered";
    sending := false;
    undefine current;
    sender_bit := 1 - sender_bit;
  end;
  pop_ack();
end;

----- the receiver

rule "receive a frame"
  frames.fill > 0 & acks.fill < CAPACITY
==>
begin
  if frames.place[0].bit = receiver_bit then
    assert !isundefined(promised) "nothing is delivered twice";
    assert frames.place[0].item = promised "the item delivered is the item handed in";
    undefine promised;
    receiver_bit := 1 - receiver_bit;
  end;
  push_ack(frames.place[0].bit);
  pop_frame();
end;

----- the line

rule "lose a frame"
  frames.fill > 0
==>
begin
  pop_frame();
end;

rule "lose an acknowledgement"
  acks.fill > 0
==>
begin
  pop_ack();
end;

rule "deliver the first frame twice"
  frames.fill > 0 & frames.fill < CAPACITY
==>
var
  copy: Frame;
begin
  copy := frames.place[0];
  for i := CAPACITY - 1 to 1 by -1 do
    frames.place[i] := frames.place[i - 1];
  end;
  frames.place[0] := copy;
  frames.fill := frames.fill + 1;
end;

invariant "an idle sender owes nothing"
  !sending -> isundefined(promised);

invariant "the bits differ only while an item is delivered and not acknowledged"
  (sender_bit != receiver_bit) = (sending & isundefined(promised));
