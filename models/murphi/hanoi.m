-- The towers of Hanoi (E. Lucas, 1883) as a state space with known figures: DISCS discs on three pegs have 3^DISCS
-- states; the graph of legal moves has (3^(DISCS+1) - 3) / 2 edges, each passed in both directions; from a full
-- tower the furthest state is 2^DISCS - 1 moves away. The second invariant is asked for by --define SOLVE=true, and
-- its counterexample is the shortest solution. Long and thin: many levels with few states each.
--
-- figures: the closed forms above; rumur 2022.08.20 (states, edges), independent Python explorer (all)
-- expect: verdict=holds states=243 edges=726 levels=31
-- expect: verdict=holds states=19683 edges=59046 levels=511 options="--define DISCS=9"
-- expect: verdict=violated reason=invariant property="the tower never arrives" trace=31 options="--define SOLVE=true"

const
  DISCS: 5;
  SOLVE: false;

type
  Disc: 1..DISCS;  -- disc 1 is the smallest
  Peg: 1..3;

var
  peg: array[Disc] of Peg;

function on_top(d: Disc): boolean;
begin
  return forall e: Disc do e < d -> peg[e] != peg[d] end;
end;

function fits(d: Disc; p: Peg): boolean;
begin
  return forall e: Disc do e < d -> peg[e] != p end;
end;

startstate "a tower on the first peg"
begin
  for d: Disc do
    peg[d] := 1;
  end;
end;

ruleset d: Disc; p: Peg do
  rule "move a disc"
    peg[d] != p & on_top(d) & fits(d, p)
  ==>
  begin
    peg[d] := p;
  end;
end;

invariant "discs stay on the pegs"
  forall d: Disc do peg[d] >= 1 & peg[d] <= 3 end;

invariant "the tower never arrives"
  SOLVE -> exists d: Disc do peg[d] != 3 end;
