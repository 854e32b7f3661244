-- Schedules that will fire, and when. A delay is a length of time: a day of it is 24 hours, even if clocks change in
-- the session's time zone. In a development database: only schedules whose next occurrence was computed by its clock,
-- and only if that clock fires schedules.
create or replace view waiting_schedule with (security_invoker = true) as
select s.job, s.name, s.next_at, s.expression, s.time_zone, s.missed,
  extract(epoch from coalesce(d.delay, '0'))::double precision * interval '1 second' as delay,
  s.next_at + extract(epoch from coalesce(d.delay, '0'))::double precision * interval '1 second'
    as fires_at
from schedule s
left join schedule_delay d using (job)
where s.paused_at is null and s.next_at is not null
  and s.in_development = exists (select from development)
  and not exists (select from development where not fires_schedules)
