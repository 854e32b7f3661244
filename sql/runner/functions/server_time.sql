-- Converts an instant of domain time to the server's time, for due times. If the domain clock is frozen, a future
-- instant becomes infinity. The command that advances the clock then updates the due time. If the domain clock is
-- running and is later than the server's clock, the difference is subtracted. The function is STRICT, because few
-- events have a time, and a call for each event would take a third of the dispatch time.
create or replace function server_time(domain_time timestamptz) returns timestamptz
language sql stable strict
return case
  when not exists (select from development) then domain_time
  when domain_time <= domain_now() then pg_catalog.now()
  when (select clock from development) is null
    then domain_time - (select ahead_us from development) * interval '1 microsecond'
  else 'infinity' end;
