-- What is registered of the schedules of some jobs, and the clock. $1 jobs, $2 the payloads
-- that their schedules' runs are to have, as JSON or null.
-- Rows: one a job: job, whether it has one, expression, time zone, missed, whether it was reckoned
-- by this clock, domain time, whether the payload is the same. Locks: none.
select j.job, s.job is not null, coalesce(s.expression, ''), s.time_zone, coalesce(s.missed, ''),
  coalesce(s.in_development = exists (select from development), false), domain_now(),
  s.payload is not distinct from j.payload::jsonb
from unnest($1::text[], $2::text[]) j (job, payload)
left join schedule s on s.job = j.job
order by j.job
