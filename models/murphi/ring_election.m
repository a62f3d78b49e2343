-- Leader election in a one-way ring (E. Chang, R. Roberts, "An improved algorithm for decentralized extrema-finding in
-- circular configurations of processes", 1979). The numbers are dealt out first, in every possible order; then any
-- non-empty set of nodes starts. A node passes on numbers above its own, swallows the ones below, and has won when
-- its own comes back; the winner sends its victory round. Links are first-in first-out. When all know the leader the
-- cards are dealt again.
--
-- figures: rumur 2022.08.20 (states, edges), independent Python explorer (all)
-- expect: verdict=holds states=178 edges=339 levels=10
-- expect: verdict=holds states=2029 edges=5096 levels=14 options="--define N=4"
-- expect: verdict=holds states=30216 edges=94925 levels=20 options="--define N=5"

const
  N: 3;
  CAPACITY: N;

type
  Node: 0..N - 1;
  Number: 1..N;
  Count: 0..N;
  Kind: enum { Candidate, Elected };
  Place: 0..CAPACITY - 1;
  Fill: 0..CAPACITY;

  Message: record
    kind: Kind;
    number: Number;
  end;
  Channel: record
    fill: Fill;
    place: array[Place] of Message;
  end;

var
  dealt: Count;  -- nodes 0 .. dealt - 1 have their number
  number: array[Node] of Number;
  awake: array[Node] of boolean;  -- has sent a candidate of its own or has seen one
  leader: array[Node] of Number;  -- undefined: not known yet
  inbox: array[Node] of Channel;  -- filled by the node before

procedure send(from: Node; kind: Kind; n: Number);
begin
  alias channel: inbox[(from + 1) % N] do
    channel.place[channel.fill].kind := kind;
    channel.place[channel.fill].number := n;
    channel.fill := channel.fill + 1;
  end;
end;

procedure receive(var channel: Channel; var message: Message);
begin
  message := channel.place[0];
  for i := 1 to CAPACITY - 1 do
    channel.place[i - 1] := channel.place[i];
  end;
  undefine channel.place[CAPACITY - 1];
  channel.fill := channel.fill - 1;
end;

procedure collect_cards();
begin
  undefine number;
  undefine leader;
  undefine inbox;
  dealt := 0;
  for v: Node do
    awake[v] := false;
    inbox[v].fill := 0;
  end;
end;

startstate "no numbers yet"
begin
  collect_cards();
end;

ruleset n: Number do
  rule "deal a number"
    dealt < N
    & forall v: Node do (v < dealt -> number[v] != n) end
  ==>
  begin
    number[dealt] := n;
    dealt := dealt + 1;
  end;
end;

ruleset v: Node do

  rule "start an election"
    dealt = N & !awake[v] & isundefined(leader[v]) & inbox[(v + 1) % N].fill < CAPACITY
  ==>
  begin
    awake[v] := true;
    send(v, Candidate, number[v]);
  end;

  rule "receive"
    inbox[v].fill > 0 & inbox[(v + 1) % N].fill < CAPACITY
  ==>
  var
    message: Message;
  begin
    receive(inbox[v], message);
    if message.kind = Candidate then
      if message.number > number[v] then
        awake[v] := true;
        send(v, Candidate, message.number);
      elsif message.number < number[v] then
        if !awake[v] then
          awake[v] := true;
          send(v, Candidate, number[v]);
        end;
      else
        leader[v] := number[v];
        send(v, Elected, number[v]);
      end;
    elsif message.number != number[v] then
      leader[v] := message.number;
      send(v, Elected, message.number);
    end;
  end;

end;

rule "play again"
  forall v: Node do !isundefined(leader[v]) & inbox[v].fill = 0 end
==>
begin
  collect_cards();
end;

invariant "only the highest number wins"
  forall v: Node do
    !isundefined(leader[v]) -> leader[v] = N
  end;

invariant "numbers are different"
  forall v: Node do
    forall w: Node do
      (v < w & w < dealt) -> number[v] != number[w]
    end
  end;
