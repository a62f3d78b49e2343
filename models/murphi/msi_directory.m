-- A directory-based MSI cache-coherence protocol for one cache line. Caches and the home directory talk over three
-- kinds of channels: a one-place request channel and a one-place answer channel from each cache to the directory,
-- and an ordered channel of DEPTH places back. The directory serves one request at a time, sends recalls and
-- invalidations one by one, and grants when all answers are in. Clean lines are dropped silently; a dirty line is
-- written back, and the write-back may cross a recall on its way, which makes it stale when it arrives. The protocol
-- is our own, in the manner of the textbook ones (Censier and Feautrier, "A new solution to coherence problems in
-- multicache systems", 1978; Sorin, Hill and Wood, "A primer on memory consistency and cache coherence", 2011).
--
-- figures: rumur 2022.08.20 (states, edges, orbits), independent Python explorer (all)
-- expect: verdict=holds states=1216 edges=2596 orbits=309 levels=24
-- expect: verdict=holds states=29762 edges=88680 orbits=2652 levels=33 options="--define NODES=3"
-- expect: verdict=holds states=257780 edges=1075688 orbits=12513 levels=41 options="--define NODES=4 --define VALUES=1"
-- expect: verdict=holds states=1608972 edges=6367344 orbits=19365 levels=42 options="--define NODES=4 --define VALUES=3"

const
  NODES: 2;
  VALUES: 2;
  DEPTH: 2;

type
  Node: scalarset(NODES);
  Value: scalarset(VALUES);
  Place: 0..DEPTH - 1;
  Fill: 0..DEPTH;

  -- S_M: shared, wants to write. M_I: writes back. Z_I: wrote back, but the line was recalled meanwhile.
  CacheState: enum { I, S, M, I_S, I_M, S_M, M_I, Z_I };
  Request: enum { NoRequest, GetS, GetM, PutM };
  Order: enum { GrantS, GrantM, Invalidate, RecallS, RecallM, PutDone };
  Answer: enum { NoAnswer, InvalidateDone, DataBack };
  HomeState: enum { Ready, Collecting };

  Cache: record
    state: CacheState;
    data: Value;
  end;
  RequestChannel: record
    kind: Request;
    data: Value;
  end;
  OrderMessage: record
    kind: Order;
    data: Value;
  end;
  OrderChannel: record
    fill: Fill;
    place: array[Place] of OrderMessage;  -- place 0 is the head
  end;
  AnswerChannel: record
    kind: Answer;
    data: Value;
  end;
  Directory: record
    state: HomeState;
    memory: Value;
    owned: boolean;
    owner: Node;
    sharer: array[Node] of boolean;
    client: Node;  -- whose request is being served
    exclusive: boolean;  -- the client wants to write
    to_call: array[Node] of boolean;  -- still to be recalled or invalidated
    awaited: array[Node] of boolean;  -- has been called, has not answered
  end;

var
  cache: array[Node] of Cache;
  request: array[Node] of RequestChannel;
  orders: array[Node] of OrderChannel;
  answer: array[Node] of AnswerChannel;
  home: Directory;
  latest: Value;  -- the value of the last store: not part of the protocol, only for the properties

procedure send_request(n: Node; kind: Request);
begin
  request[n].kind := kind;
end;

-- Orders without data leave the data field undefined.
procedure send_order(n: Node; kind: Order; with_data: boolean);
begin
  alias channel: orders[n] do
    channel.place[channel.fill].kind := kind;
    if with_data then
      channel.place[channel.fill].data := home.memory;
    end;
    channel.fill := channel.fill + 1;
  end;
end;

procedure drop_head(n: Node);
begin
  alias channel: orders[n] do
    for i: Place do
      if i < DEPTH - 1 then
        channel.place[i] := channel.place[i + 1];
      end;
    end;
    undefine channel.place[DEPTH - 1];
    channel.fill := channel.fill - 1;
  end;
end;

procedure answer_with_data(n: Node);
begin
  answer[n].kind := DataBack;
  answer[n].data := cache[n].data;
end;

procedure lose_line(n: Node; next: CacheState);
begin
  cache[n].state := next;
  undefine cache[n].data;
end;

startstate "memory holds one value, all caches empty"
begin
  undefine cache;
  undefine request;
  undefine orders;
  undefine answer;
  undefine home;
  for n: Node do
    cache[n].state := I;
    request[n].kind := NoRequest;
    orders[n].fill := 0;
    answer[n].kind := NoAnswer;
    home.sharer[n] := false;
    home.to_call[n] := false;
    home.awaited[n] := false;
  end;
  home.state := Ready;
  home.owned := false;
  for v: Value do
    home.memory := v;
    latest := v;
  end;
end;

----- the processor side of a cache

ruleset n: Node do
  alias line: cache[n] do

    rule "load misses"
      line.state = I & request[n].kind = NoRequest
    ==>
    begin
      send_request(n, GetS);
      line.state := I_S;
    end;

    rule "store misses"
      line.state = I & request[n].kind = NoRequest
    ==>
    begin
      send_request(n, GetM);
      line.state := I_M;
    end;

    rule "store finds a shared line"
      line.state = S & request[n].kind = NoRequest
    ==>
    begin
      send_request(n, GetM);
      line.state := S_M;
    end;

    ruleset v: Value do
      rule "store hits"
        line.state = M
      ==>
      begin
        line.data := v;
        latest := v;
      end;
    end;

    rule "drop a clean line"
      line.state = S
    ==>
    begin
      lose_line(n, I);
    end;

    rule "write back a dirty line"
      line.state = M & request[n].kind = NoRequest
    ==>
    begin
      send_request(n, PutM);
      request[n].data := line.data;
      line.state := M_I;
    end;

  end;
end;

----- the network side of a cache

ruleset n: Node do
  alias line: cache[n]; head: orders[n].place[0] do

    rule "receive an order"
      orders[n].fill > 0 & answer[n].kind = NoAnswer
    ==>
    begin
      switch head.kind
        case GrantS:
          assert line.state = I_S "a shared grant was asked for";
          line.state := S;
          line.data := head.data;
        case GrantM:
          assert line.state = I_M | line.state = S_M "an exclusive grant was asked for";
          line.state := M;
          line.data := head.data;
        case Invalidate:
          answer[n].kind := InvalidateDone;
          if line.state = S then
            lose_line(n, I);
          elsif line.state = S_M then
            lose_line(n, I_M);
          end;
        case RecallS:
          answer_with_data(n);
          if line.state = M then
            line.state := S;
          else
            assert line.state = M_I "a recall finds the owner";
            lose_line(n, Z_I);
          end;
        case RecallM:
          answer_with_data(n);
          if line.state = M then
            lose_line(n, I);
          else
            assert line.state = M_I "a recall finds the owner";
            lose_line(n, Z_I);
          end;
        case PutDone:
          assert line.state = M_I | line.state = Z_I "a write-back was asked for";
          lose_line(n, I);
      end;
      drop_head(n);
    end;

  end;
end;

----- the directory

ruleset n: Node do

  rule "home accepts a read or write request"
    home.state = Ready & (request[n].kind = GetS | request[n].kind = GetM)
  ==>
  begin
    home.client := n;
    home.exclusive := (request[n].kind = GetM);
    for m: Node do
      if home.owned then
        home.to_call[m] := (m = home.owner);
      else
        home.to_call[m] := (home.exclusive & home.sharer[m] & m != n);
      end;
    end;
    home.state := Collecting;
    request[n].kind := NoRequest;
  end;

  rule "home accepts a write-back"
    home.state = Ready & request[n].kind = PutM & orders[n].fill < DEPTH
  ==>
  begin
    -- A node that is not the owner any more has been recalled meanwhile: its data are out of date.
    if home.owned then
      if home.owner = n then
        home.memory := request[n].data;
        home.owned := false;
        undefine home.owner;
      end;
    end;
    send_order(n, PutDone, false);
    undefine request[n].data;
    request[n].kind := NoRequest;
  end;

  rule "home calls a node"
    home.state = Collecting & home.to_call[n] & orders[n].fill < DEPTH
  ==>
  begin
    if home.owned then
      if home.exclusive then
        send_order(n, RecallM, false);
      else
        send_order(n, RecallS, false);
      end;
    else
      send_order(n, Invalidate, false);
    end;
    home.to_call[n] := false;
    home.awaited[n] := true;
  end;

  rule "home takes an answer"
    home.awaited[n] & answer[n].kind != NoAnswer
  ==>
  begin
    if answer[n].kind = DataBack then
      home.memory := answer[n].data;
      home.owned := false;
      undefine home.owner;
      home.sharer[n] := !home.exclusive;
    else
      home.sharer[n] := false;
    end;
    home.awaited[n] := false;
    undefine answer[n];
    answer[n].kind := NoAnswer;
  end;

end;

rule "home grants"
  home.state = Collecting & orders[home.client].fill < DEPTH
  & forall n: Node do !home.to_call[n] & !home.awaited[n] end
==>
begin
  if home.exclusive then
    send_order(home.client, GrantM, true);
    for n: Node do
      home.sharer[n] := false;
    end;
    home.owned := true;
    home.owner := home.client;
  else
    send_order(home.client, GrantS, true);
    home.sharer[home.client] := true;
  end;
  undefine home.client;
  undefine home.exclusive;
  home.state := Ready;
end;

----- properties

-- A cache that writes back neither reads nor writes any more: it only keeps the data to answer a crossing recall.
invariant "one writer or many readers"
  forall n: Node do
    forall m: Node do
      (n != m & cache[n].state = M) -> (cache[m].state != M & cache[m].state != S & cache[m].state != S_M)
    end
  end;

invariant "every readable copy is the latest value"
  forall n: Node do
    (cache[n].state = S | cache[n].state = S_M | cache[n].state = M) -> cache[n].data = latest
  end;

invariant "unowned memory is fresh"
  !home.owned -> home.memory = latest;
