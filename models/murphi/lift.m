-- A lift, written to exercise assume and cover. The passengers' good behaviour is assumed: a statement `assume` says
-- that nobody presses the button of the floor where the doors stand open, and the property `assume` says that at most
-- LIT buttons are lit at once; what breaks an assumption is not explored. The covers say that the interesting
-- situations do occur.
--
-- figures: rumur 2022.08.20 (states, edges), independent Python explorer (all)
-- expect: verdict=holds states=141 edges=444 levels=12
-- expect: verdict=holds states=1053 edges=4218 levels=15 options="--define FLOORS=6 --define LIT=4"

const
  FLOORS: 4;
  LIT: 2;

type
  Floor: 1..FLOORS;
  Direction: enum { Up, Down };

var
  at: Floor;
  heading: Direction;
  open: boolean;
  lit: array[Floor] of boolean;

function count_lit(): 0..FLOORS;
var
  n: 0..FLOORS;
begin
  n := 0;
  for f: Floor do
    if lit[f] then
      n := n + 1;
    end;
  end;
  return n;
end;

function calls_ahead(): boolean;
begin
  if heading = Up then
    return exists f: Floor do f > at & lit[f] end;
  else
    return exists f: Floor do f < at & lit[f] end;
  end;
end;

startstate "at the ground floor"
begin
  at := 1;
  heading := Up;
  open := false;
  for f: Floor do
    lit[f] := false;
  end;
end;

ruleset f: Floor do
  rule "press a button"
    !lit[f]
  ==>
  begin
    assume !(open & at = f) "nobody calls the lift from inside";
    lit[f] := true;
  end;
end;

rule "open the doors"
  !open & lit[at]
==>
begin
  open := true;
  lit[at] := false;
end;

rule "close the doors"
  open
==>
begin
  open := false;
end;

rule "move on"
  !open & !lit[at] & calls_ahead()
==>
begin
  if heading = Up then
    at := at + 1;
  else
    at := at - 1;
  end;
end;

rule "turn back"
  !open & !lit[at] & !calls_ahead() & count_lit() > 0
==>
begin
  heading := heading = Up ? Down : Up;
end;

assume "few are waiting"
  count_lit() <= LIT;

invariant "open doors have answered the call"
  open -> !lit[at];

cover "the top floor is served"
  open & at = FLOORS;

cover "the lift comes down with calls below"
  heading = Down & at = 2 & lit[1];

ruleset f: Floor do
  cover "every floor is served"
    open & at = f;
end;
