-- The server's time of an instant of domain time, for what is due by the server's clock. Where domain time is
-- a clock that stands, what it has not come to never is: whoever moves the clock says so.
create or replace function server_time(domain_time timestamptz) returns timestamptz
language sql stable
return case
  when not exists (select from development) then domain_time
  when domain_time <= domain_now() then pg_catalog.now()
  else 'infinity' end;
