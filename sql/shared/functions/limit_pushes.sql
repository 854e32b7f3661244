-- Replaces the declared rate of the jobs that send push notifications with the configured rate. Each time a program
-- starts, it writes the jobs' declared rate again. The trigger therefore runs for each write of a rate.
create or replace function limit_pushes() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  new.burst := (select s.pushes_a_second from setting s);
  -- The interval is rounded up, so that the rate is never exceeded.
  new.start_interval := ceil(1000000.0 / new.burst) * interval '1 microsecond';
  return new;
end $$
