-- Contains the schedules that will fire, with the time of firing. In the delay of a schedule, a day is always 24 hours,
-- regardless of the session's time zone. In a development database, the view contains only schedules whose next
-- occurrence was computed with the development clock. If the development clock fires no schedules, the view is empty.
-- A delay of more than 31,000,000,000 seconds counts as 31,000,000,000 seconds, so that each time of firing is valid.
-- Only programs of older releases read the is_new column.
create or replace view waiting_schedule with (security_invoker = true) as
select s.job, s.name, s.next_at, s.expression, s.time_zone, s.missed,
  least(extract(epoch from coalesce(d.delay, '0'))::double precision, 31000000000) * interval '1 second' as delay,
  s.next_at + least(extract(epoch from coalesce(d.delay, '0'))::double precision, 31000000000) * interval '1 second'
    as fires_at,
  s.is_new, s.until, s.source
from schedule s
left join schedule_delay d using (job)
where s.paused_at is null and s.next_at is not null
  and s.in_development = exists (select from development)
  and not exists (select from development where not fires_schedules)
