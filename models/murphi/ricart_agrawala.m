-- Mutual exclusion by messages with time stamps (G. Ricart, A. Agrawala, "An optimal algorithm for mutual exclusion in
-- computer networks", 1981). The network is a multiset: messages overtake each other freely and are never lost. Clocks
-- are bounded by MAX_CLOCK; when all is quiet they are set back, so that the model is finite and has no final state.
--
-- figures: independent Python explorer (N = 2, 3); rumur 2022.08.20 on an equivalent model whose network is an array of
-- flags (all)
-- expect: verdict=holds states=5490 edges=18850 levels=27
-- expect: verdict=holds states=83 edges=135 levels=16 options="--define N=2"
-- expect: verdict=holds states=2869657 edges=19346677 levels=41 options="--define N=4"

const
  N: 3;
  MAX_CLOCK: 3;
  CAPACITY: N * (N - 1);

type
  Node: 1..N;
  Clock: 0..MAX_CLOCK;
  Kind: enum { Request, Reply };
  Stage: enum { Idle, Waiting, Critical };

  Message: record
    kind: Kind;
    from, to_node: Node;
    stamp: Clock;  -- undefined in a reply
  end;

var
  network: multiset[CAPACITY] of Message;
  stage: array[Node] of Stage;
  clock: array[Node] of Clock;
  stamp: array[Node] of Clock;  -- of the node's own request; undefined: none
  missing: array[Node] of array[Node] of boolean;  -- missing[n][m]: n has no reply of m yet
  deferred: array[Node] of array[Node] of boolean;  -- deferred[n][m]: n owes m a reply

procedure send_request(from: Node; to_node: Node; stamp: Clock);
var
  message: Message;
begin
  undefine message;
  message.kind := Request;
  message.from := from;
  message.to_node := to_node;
  message.stamp := stamp;
  multisetadd(message, network);
end;

procedure send_reply(from: Node; to_node: Node);
var
  message: Message;
begin
  undefine message;
  message.kind := Reply;
  message.from := from;
  message.to_node := to_node;
  multisetadd(message, network);
end;

-- Does node n's own request come before one of m with stamp s?
function comes_first(n: Node; m: Node; s: Clock): boolean;
begin
  return stamp[n] < s | (stamp[n] = s & n < m);
end;

startstate "quiet"
begin
  undefine network;
  undefine stamp;
  for n: Node do
    stage[n] := Idle;
    clock[n] := 0;
    for m: Node do
      missing[n][m] := false;
      deferred[n][m] := false;
    end;
  end;
end;

ruleset n: Node do

  rule "ask everybody"
    stage[n] = Idle & clock[n] < MAX_CLOCK
  ==>
  begin
    clock[n] := clock[n] + 1;
    stamp[n] := clock[n];
    for m: Node do
      if m != n then
        missing[n][m] := true;
        send_request(n, m, stamp[n]);
      end;
    end;
    stage[n] := Waiting;
  end;

  rule "enter"
    stage[n] = Waiting & forall m: Node do !missing[n][m] end
  ==>
  begin
    stage[n] := Critical;
  end;

  rule "leave and answer the deferred"
    stage[n] = Critical
  ==>
  begin
    stage[n] := Idle;
    undefine stamp[n];
    for m: Node do
      if deferred[n][m] then
        deferred[n][m] := false;
        send_reply(n, m);
      end;
    end;
  end;

end;

choose i: network do
  alias message: network[i]; here: message.to_node; there: message.from do

    rule "receive a request"
      message.kind = Request
    ==>
    var
      from, at: Node;
      s: Clock;
    begin
      from := there;
      at := here;
      s := message.stamp;
      multisetremove(i, network);
      if s > clock[at] then
        clock[at] := s;
      end;
      if stage[at] = Critical | (stage[at] = Waiting & comes_first(at, from, s)) then
        deferred[at][from] := true;
      else
        send_reply(at, from);
      end;
    end;

    rule "receive a reply"
      message.kind = Reply
    ==>
    begin
      assert missing[here][there] "a reply was waited for";
      missing[here][there] := false;
      multisetremove(i, network);
    end;

  end;
end;

rule "set the clocks back"
  multisetcount(i: network, true) = 0 & forall n: Node do stage[n] = Idle end
==>
begin
  clear clock;
end;

invariant "mutual exclusion"
  forall n: Node do
    forall m: Node do
      n < m -> !(stage[n] = Critical & stage[m] = Critical)
    end
  end;

invariant "at most two messages for a waiting pair"
  forall n: Node do
    multisetcount(i: network, network[i].from = n & network[i].kind = Request) < N
  end;
