-- Converts an instant of domain time to the server's time, for due times. If the domain clock is frozen, an instant in
-- its future becomes infinity: the command that moves the clock then updates the due time. If the clock runs and is
-- later than the server's, the instant comes earlier by that difference. The function is strict: hardly any event has a
-- time, and a call that cannot be inlined took a third of a fold.
create or replace function server_time(domain_time timestamptz) returns timestamptz
language sql stable strict
return case
  when not exists (select from development) then domain_time
  when domain_time <= domain_now() then pg_catalog.now()
  when (select clock from development) is null
    then domain_time - (select ahead_us from development) * interval '1 microsecond'
  else 'infinity' end;
