-- An error statement is reached: a parcel comes to a depot that does not exist.
--
-- figures: rumur 2022.08.20 (verdict), by hand (trace)
-- expect: verdict=violated reason=error property="no depot in this town" trace=3

type
  Town: enum { Arles, Brest, Calais, Dover };

var
  parcel: Town;

startstate "in Arles"
begin
  parcel := Arles;
end;

rule "send on"
begin
  switch parcel
    case Arles: parcel := Brest;
    case Brest: parcel := Calais;
    case Calais: parcel := Dover;
    else error "no depot in this town";
  end;
end;
