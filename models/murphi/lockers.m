-- A cloakroom, written to exercise undefined values: variables that the start state leaves alone, isundefined on
-- fields and array elements, undefine and clear on single values, records and arrays, and record assignments that
-- carry undefined members along. No undefined value is ever read on its own, so all Murphi tools agree on this model.
--
-- figures: rumur 2022.08.20 (states, edges), independent Python explorer (all)
-- expect: verdict=holds states=196 edges=784 levels=6
-- expect: verdict=holds states=4631 edges=25566 levels=9 options="--define LOCKERS=3 --define GUESTS=3"

const
  LOCKERS: 2;
  GUESTS: 2;

type
  Locker: 1..LOCKERS;
  Guest: 1..GUESTS;
  Thing: enum { Hat, Coat };
  Coins: 0..1;

  Content: record
    thing: Thing;  -- undefined: empty
    tag: Guest;  -- undefined: no tag
  end;
  Box: record
    owner: Guest;  -- undefined: free
    paid: Coins;
    content: Content;
  end;

var
  box: array[Locker] of Box;
  counter: Content;  -- what lies on the counter; undefined in every start state
  last: Guest;  -- who was served last; undefined before the first

function is_free(b: Box): boolean;
begin
  return isundefined(b.owner);
end;

function is_empty(c: Content): boolean;
begin
  return isundefined(c.thing) & isundefined(c.tag);
end;

startstate "nothing is known"
  -- Everything stays undefined.
end;

startstate "coins counted"
begin
  for l: Locker do
    clear box[l].paid;
  end;
end;

ruleset l: Locker; g: Guest do

  rule "rent"
    is_free(box[l]) & forall k: Locker do isundefined(box[k].owner) | box[k].owner != g end
  ==>
  begin
    box[l].owner := g;
    box[l].paid := 1;
    last := g;
  end;

  rule "give back"
    !is_free(box[l]) & box[l].owner = g & is_empty(box[l].content)
  ==>
  begin
    if isundefined(last) then
      error "somebody rented without being served";
    end;
    undefine box[l];
    clear box[l].paid;
    last := g;
  end;

end;

ruleset l: Locker; t: Thing do
  rule "lay on the counter"
    !is_free(box[l]) & is_empty(counter) & is_empty(box[l].content)
  ==>
  begin
    counter.thing := t;
    -- A hat needs no tag.
    if t = Coat then
      counter.tag := box[l].owner;
    end;
  end;
end;

ruleset l: Locker do

  rule "stow what is on the counter"
    !isundefined(counter.thing) & is_empty(box[l].content)
    & (isundefined(counter.tag) ? !is_free(box[l]) : !is_free(box[l]) & box[l].owner = counter.tag)
  ==>
  begin
    box[l].content := counter;
    undefine counter;
  end;

  rule "fetch"
    !isundefined(box[l].content.thing)
  ==>
  begin
    undefine box[l].content;
  end;

end;

rule "swap two boxes"
  exists l: Locker do !is_free(box[l]) end
==>
var
  spare: Box;
begin
  spare := box[1];
  box[1] := box[LOCKERS];
  box[LOCKERS] := spare;
end;

rule "shift ends"
  forall l: Locker do is_free(box[l]) end & !isundefined(last)
==>
begin
  undefine last;
  undefine counter;
  clear counter.thing;
  undefine counter.thing;
end;

invariant "a free box is empty"
  forall l: Locker do is_free(box[l]) -> is_empty(box[l].content) end;

invariant "a tagged thing lies in its owner's box"
  forall l: Locker do
    !isundefined(box[l].content.tag) -> (box[l].content.thing = Coat & box[l].content.tag = box[l].owner)
  end;
