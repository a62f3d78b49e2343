-- A controller that finishes its own steps before it takes the next input, as statecharts do (D. Harel, A. Naamad, "The
-- STATEMATE semantics of statecharts", 1996), written to exercise rule priorities, which CMurphi has: of the enabled
-- rules only those with the lowest number fire. A sensor may change (priority 50) only when no change waits to be
-- handled (10), no alarm is to be set or reset (20), and nothing is left to be logged (30).
--
-- figures: independent Python explorer (all); rumur 2022.08.20 on an equivalent model with the priorities in the guards
-- expect: verdict=holds states=162 edges=210 levels=29
-- expect: verdict=holds states=2791 edges=4391 levels=53 options="--define SENSORS=6 --define LOG=5"

const
  SENSORS: 3;
  LOG: 3;

type
  Sensor: 1..SENSORS;
  Count: 0..SENSORS;
  LogFill: 0..LOG;

var
  hot: array[Sensor] of boolean;
  changed: array[Sensor] of boolean;  -- not handled yet
  hot_count: Count;
  checked: boolean;  -- the alarm fits the count
  alarm: boolean;
  to_log: boolean;
  log: LogFill;

startstate "all cool"
begin
  for s: Sensor do
    hot[s] := false;
    changed[s] := false;
  end;
  hot_count := 0;
  checked := true;
  alarm := false;
  to_log := false;
  log := 0;
end;

ruleset s: Sensor do

  rule 50 "a sensor changes"
    true
  ==>
  begin
    hot[s] := !hot[s];
    changed[s] := true;
  end;

  rule 10 "handle a change"
    changed[s]
  ==>
  begin
    changed[s] := false;
    if hot[s] then
      hot_count := hot_count + 1;
    else
      hot_count := hot_count - 1;
    end;
    checked := false;
  end;

end;

rule 20 "set or reset the alarm"
  !checked
==>
begin
  if alarm != (hot_count > 1) then
    alarm := !alarm;
    to_log := true;
  end;
  checked := true;
end;

rule 30 "write to the log"
  to_log & log < LOG
==>
begin
  log := log + 1;
  to_log := false;
end;

rule 30 "begin a new page"
  log = LOG
==>
begin
  log := 0;
end;

invariant "changes never pile up"
  forall s: Sensor do
    forall t: Sensor do
      s < t -> !(changed[s] & changed[t])
    end
  end;

invariant "a checked alarm tells the truth"
  (checked & forall s: Sensor do !changed[s] end) -> alarm = (hot_count > 1);
