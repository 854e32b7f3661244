-- Reads the schedules that programs declare. A schedule that was created at run time is read only if $2 is its name. $1: the
-- job, or null for all jobs. $2: the name, or null for all names. Rows: job, name, expression, time zone, policy for missed
-- occurrences, next occurrence, last occurrence, last time of firing, time of the pause, delay in ms. Locks: none. Index:
-- schedule_pkey.
select s.job, s.name, s.expression, s.time_zone, s.missed, s.next_at, s.last_at, s.last_fired_at, s.paused_at,
  (least(extract(epoch from coalesce(d.delay, '0')), 31000000000) * 1000)::bigint
from schedule s
left join schedule_delay d using (job)
where (s.source = 'program' or $2 is not null) and ($1::text is null or s.job = $1) and ($2::text is null or s.name = $2)
order by s.job, s.name
