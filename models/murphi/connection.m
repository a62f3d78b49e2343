-- A connection over channels that lose and reorder: opened by a handshake, SEGMENTS numbered segments sent one by one
-- with acknowledgements, closed by another handshake. The sender repeats what is not acknowledged, at most RETRIES
-- times, then gives up. A channel holds at most COPIES copies of a message. In the manner of the Internet's connection
-- protocols (V. Cerf and R. Kahn, 1974), on which the sweep-line method was tried first: phases, sequence numbers and
-- retries only ever go forward, so the measure is monotone and a sweep visits every state once.
--
-- figures: rumur 2022.08.20 (states, edges of the first two)
-- expect: verdict=holds states=3989 edges=28865 levels=22 options="--deadlock off"
-- expect: verdict=holds states=18506 edges=164617 levels=27 options="--deadlock off --define SEGMENTS=4 --define RETRIES=3"
--
-- tideline: progress sender, next, tries, receiver, expected

const
  SEGMENTS: 3;
  RETRIES: 2;
  COPIES: 1;

type
  Phase: enum { Closed, Opening, Open, Closing, Ended, GaveUp };
  Segment: 0..SEGMENTS;
  Copies: 0..COPIES;

var
  sender: Phase;
  next: Segment;        -- to be acknowledged
  tries: 0..RETRIES;
  receiver: Phase;
  expected: Segment;
  syn: Copies;          -- to the receiver
  data: array [Segment] of Copies;
  fin: Copies;
  syn_ack: Copies;      -- to the sender
  ack: array [Segment] of Copies;
  fin_ack: Copies;

procedure post(var channel: Copies);
begin
  if channel < COPIES then channel := channel + 1; end;
end;

procedure send_current();
begin
  switch sender
    case Opening: post(syn);
    case Open: post(data[next]);
    case Closing: post(fin);
  end;
end;

procedure enter(phase: Phase);
begin
  sender := phase;
  tries := 0;
  send_current();
end;

startstate
begin
  sender := Closed; receiver := Closed;
  next := 0; expected := 0; tries := 0;
  syn := 0; fin := 0; syn_ack := 0; fin_ack := 0;
  for s: Segment do data[s] := 0; ack[s] := 0; end;
end;

rule "open" sender = Closed ==> begin enter(Opening); end;

rule "repeat"
  (sender = Opening | sender = Open | sender = Closing) & tries < RETRIES
==>
begin
  tries := tries + 1;
  send_current();
end;

rule "give up"
  (sender = Opening | sender = Open | sender = Closing) & tries = RETRIES
==>
begin
  sender := GaveUp;
end;

rule "syn arrives" syn > 0
==>
begin
  syn := syn - 1;
  if receiver = Closed then receiver := Open; end;
  post(syn_ack);
end;

rule "syn_ack arrives" syn_ack > 0
==>
begin
  syn_ack := syn_ack - 1;
  if sender = Opening then enter(Open); end;
end;

ruleset s: Segment do
  rule "data arrives" data[s] > 0
  ==>
  begin
    data[s] := data[s] - 1;
    if receiver = Open & s = expected & expected < SEGMENTS then expected := expected + 1; end;
    post(ack[expected]);
  end;

  rule "ack arrives" ack[s] > 0
  ==>
  begin
    ack[s] := ack[s] - 1;
    if sender = Open & s > next then
      next := s;
      if next = SEGMENTS then enter(Closing); else enter(Open); end;
    end;
  end;

  rule "data is lost" data[s] > 0 ==> begin data[s] := data[s] - 1; end;
  rule "ack is lost" ack[s] > 0 ==> begin ack[s] := ack[s] - 1; end;
end;

rule "fin arrives" fin > 0
==>
begin
  fin := fin - 1;
  if receiver = Open then receiver := Ended; end;
  post(fin_ack);
end;

rule "fin_ack arrives" fin_ack > 0
==>
begin
  fin_ack := fin_ack - 1;
  if sender = Closing then sender := Ended; end;
end;

rule "syn is lost" syn > 0 ==> begin syn := syn - 1; end;
rule "syn_ack is lost" syn_ack > 0 ==> begin syn_ack := syn_ack - 1; end;
rule "fin is lost" fin > 0 ==> begin fin := fin - 1; end;
rule "fin_ack is lost" fin_ack > 0 ==> begin fin_ack := fin_ack - 1; end;

invariant "what was acknowledged has arrived" next <= expected;
invariant "the sender ends after the receiver" sender = Ended -> receiver = Ended & expected = SEGMENTS;
