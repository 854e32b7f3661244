-- Converts an instant of domain time to server time, for due times. If the domain clock is frozen, a future instant
-- becomes infinity. When a command moves the clock past this instant, the hurry_runs statement replaces infinity with a
-- finite due time. If the domain clock is running with a lead over the server's clock, the lead is subtracted. The
-- function is STRICT, so that PostgreSQL does not execute it for the many events without a time. Executing the function
-- for all events would take a third of the dispatch time.
create or replace function server_time(domain_time timestamptz) returns timestamptz
language sql stable strict
return case
  when not exists (select from development) then domain_time
  when domain_time <= domain_now() then pg_catalog.now()
  when (select clock from development) is null
    then domain_time - (select ahead_us from development) * interval '1 microsecond'
  else 'infinity' end;
