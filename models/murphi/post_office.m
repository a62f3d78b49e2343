-- A small post service, written to exercise union types and multisets: a place is a person's home or one of two
-- stations; the mail is a multiset of letters, equal letters included; a van drives between places and carries the
-- letters onwards. In a flood all ordinary letters at the depot are lost at once (multisetremovepred).
--
-- figures: independent Python explorer (all); rumur 2022.08.20 on an equivalent model with a counter for each letter
-- expect: verdict=holds states=17324 edges=83164 orbits=8687 levels=19
-- expect: verdict=holds states=241640 edges=1336640 orbits=41472 levels=23 options="--define PEOPLE=3"

const
  PEOPLE: 2;
  LETTERS: 3;

type
  Person: scalarset(PEOPLE);
  Station: enum { Office, Depot };
  Place: union { Person, Station };
  Letter: record
    at: Place;
    addressee: Person;
    registered: boolean;
  end;

var
  mail: multiset[LETTERS] of Letter;
  van: Place;  -- undefined: in the garage
  open: array[Place] of boolean;
  registered_in_transit: 0..LETTERS;

startstate "no mail"
begin
  undefine mail;
  undefine van;
  for p: Place do
    open[p] := ismember(p, Station);
  end;
  registered_in_transit := 0;
end;

ruleset p: Person; q: Person; registered: boolean do
  rule "write a letter"
    p != q & multisetcount(i: mail, true) < LETTERS
  ==>
  var
    letter: Letter;
  begin
    letter.at := p;
    letter.addressee := q;
    letter.registered := registered;
    multisetadd(letter, mail);
    if registered then
      registered_in_transit := registered_in_transit + 1;
    end;
  end;
end;

ruleset p: Person do
  rule "open or close the door"
    !isundefined(van) & van = p
  ==>
  begin
    open[p] := !open[p];
  end;
end;

ruleset from: Place; target: Place do
  rule "drive on"
    !isundefined(van) & van = from & from != target & (ismember(from, Person) -> ismember(target, Station))
  ==>
  begin
    van := target;
  end;
end;

rule "leave the garage"
  isundefined(van)
==>
begin
  van := Office;
end;

rule "park in the garage"
  !isundefined(van) & van = Office & multisetcount(i: mail, mail[i].at = Office) = 0
==>
begin
  undefine van;
end;

choose i: mail do
  alias letter: mail[i] do

    rule "carry a letter to a station"
      !isundefined(van) & ismember(van, Station) & ismember(letter.at, Person) & letter.at != letter.addressee
    ==>
    begin
      letter.at := van;
    end;

    rule "deliver a letter"
      !isundefined(van) & ismember(letter.at, Station) & van = letter.addressee & open[van]
    ==>
    begin
      letter.at := letter.addressee;
    end;

    rule "read a letter"
      letter.at = letter.addressee
    ==>
    begin
      if letter.registered then
        registered_in_transit := registered_in_transit - 1;
      end;
      multisetremove(i, mail);
    end;

  end;
end;

rule "flood in the depot"
  multisetcount(i: mail, mail[i].at = Depot & !mail[i].registered) > 1
==>
begin
  multisetremovepred(i: mail, mail[i].at = Depot & !mail[i].registered);
end;

invariant "no registered letter is lost"
  multisetcount(i: mail, mail[i].registered) = registered_in_transit;

invariant "stations never close"
  forall s: Station do open[s] end;
