-- A connection over channels that lose, in the manner of the Internet's connection protocols (V. Cerf and R. Kahn,
-- 1974), on which the sweep-line method was tried first. Stage 0 opens the connection, stages 1..SEGMENTS carry a
-- segment each, the last one closes it. The sender sends the message of its stage, again if no answer comes, at most
-- RETRIES times, and gives up after that. The receiver answers every message with the stage that it waits for. Each
-- channel holds CAPACITY messages in their order; what does not fit is lost, and any message may be.
--
-- Stages and retries only go forward, so the measure is monotone, and a sweep visits every state once. A transfer twice
-- as long has twice as many states, but no larger layers.
--
-- figures: rumur 2022.08.20 (states, edges)
-- expect: verdict=holds states=1259 edges=5488 levels=27 options="--deadlock off"
-- expect: verdict=holds states=5579 edges=24528 levels=91 options="--deadlock off --define SEGMENTS=40"
--
-- tideline: progress sender, tries, gave_up, receiver

const
  SEGMENTS: 8;
  RETRIES: 2;
  CAPACITY: 3;
  LAST: SEGMENTS + 1;   -- the stage that closes the connection
  DONE: LAST + 1;

type
  Stage: 0..DONE;
  Length: 0..CAPACITY;
  Slot: 0..CAPACITY - 1;
  Channel: record
    length: Length;
    message: array [Slot] of Stage;   -- 0 behind the last one
  end;

var
  sender: Stage;
  tries: 0..RETRIES;
  gave_up: boolean;
  receiver: Stage;     -- that it waits for
  there: Channel;
  back: Channel;

procedure post(var channel: Channel; message: Stage);
begin
  if channel.length < CAPACITY then
    channel.message[channel.length] := message;
    channel.length := channel.length + 1;
  end;
end;

procedure drop(var channel: Channel; slot: Slot);
begin
  for s: Slot do
    if s >= slot & s + 1 < channel.length then channel.message[s] := channel.message[s + 1]; end;
  end;
  channel.length := channel.length - 1;
  channel.message[channel.length] := 0;
end;

startstate
begin
  sender := 0; tries := 0; gave_up := false; receiver := 0;
  there.length := 0; back.length := 0;
  for s: Slot do there.message[s] := 0; back.message[s] := 0; end;
  post(there, 0);
end;

rule "send again" sender <= LAST & !gave_up & tries < RETRIES
==>
begin
  tries := tries + 1;
  post(there, sender);
end;

rule "give up" sender <= LAST & !gave_up & tries = RETRIES
==>
begin
  gave_up := true;
end;

rule "message arrives" there.length > 0
==>
begin
  if there.message[0] = receiver then receiver := receiver + 1; end;
  drop(there, 0);
  post(back, receiver);
end;

rule "answer arrives" back.length > 0
==>
var answer: Stage;
begin
  answer := back.message[0];
  drop(back, 0);
  if !gave_up & answer = sender + 1 then
    sender := answer;
    tries := 0;
    if sender <= LAST then post(there, sender); end;
  end;
end;

ruleset slot: Slot do
  rule "message is lost" slot < there.length ==> begin drop(there, slot); end;
  rule "answer is lost" slot < back.length ==> begin drop(back, slot); end;
end;

invariant "what was answered has arrived" sender <= receiver;
invariant "the receiver is at most one ahead" receiver <= sender + 1;
