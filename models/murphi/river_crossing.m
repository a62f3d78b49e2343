-- The wolf, the goat and the cabbage (Alcuin of York, "Propositiones ad acuendos juvenes", about 800). The boat
-- holds the farmer and at most one passenger; the wolf eats the goat and the goat the cabbage when the farmer is
-- away. The invariant says that the crossing never succeeds, so its counterexample is the solution: seven
-- crossings, and there are two equally short ones. Without it (--define STOP_AT_SOLUTION=false) the ten safe states
-- remain.
--
-- figures: rumur 2022.08.20 (verdict, states, edges), independent Python explorer (all), and the puzzle's known answer
-- expect: verdict=violated reason=invariant property="the river is never crossed" trace=7
-- expect: verdict=holds states=10 edges=20 levels=7 options="--define STOP_AT_SOLUTION=false"

const
  STOP_AT_SOLUTION: true;

type
  Bank: enum { West, East };
  Passenger: enum { Wolf, Goat, Cabbage };

var
  farmer: Bank;
  at: array[Passenger] of Bank;

function other(b: Bank): Bank;
begin
  return b = West ? East : West;
end;

-- The goat is watched, or neither its prey nor its hunter is with it.
function peaceful(): boolean;
begin
  return at[Goat] = farmer | (at[Wolf] != at[Goat] & at[Goat] != at[Cabbage]);
end;

startstate "all on the west bank"
begin
  clear farmer;
  clear at;
end;

rule "cross alone"
  -- what is left behind keeps the peace: the goat is on the other bank already, or is left on its own
  at[Goat] != farmer | (at[Wolf] != farmer & at[Cabbage] != farmer)
==>
begin
  farmer := other(farmer);
  assert peaceful() "nobody is eaten";
end;

ruleset p: Passenger do
  rule "take a passenger"
    at[p] = farmer & (p = Goat | at[Goat] != farmer | (p = Wolf ? at[Cabbage] : at[Wolf]) != farmer)
  ==>
  begin
    at[p] := other(farmer);
    farmer := other(farmer);
    assert peaceful() "nobody is eaten";
  end;
end;

invariant "the river is never crossed"
  STOP_AT_SOLUTION -> !(farmer = East & forall p: Passenger do at[p] = East end);
