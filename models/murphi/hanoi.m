-- The towers of Hanoi (E. Lucas, 1883) as a state space with known figures: DISCS discs on three pegs have
-- 3^DISCS states; the graph of legal moves has (3^(DISCS+1) - 3) / 2 edges, each passed in both directions; from a full
-- tower the furthest state is 2^DISCS - 1 moves away. The second property, when asked for by --define SOLVE=true, yields
-- the shortest solution as its counterexample. Long and thin: many levels with few states each.
--
-- figures: the closed forms above; rumur 2022.08.20 (states, edges), independent Python explorer (all)

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

invariant "the tower never reaches the third peg"
  SOLVE -> exists d: Disc do peg[d] != 3 end;
