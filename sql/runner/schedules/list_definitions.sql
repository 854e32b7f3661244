-- What is registered of the schedules of some jobs, and the clock. $1 jobs.
-- Rows: one a job: job, whether it has one, expression, time zone, missed, whether it was reckoned
-- by this clock, domain time. Locks: none.
select j.job, s.job is not null, coalesce(s.expression, ''), s.time_zone, coalesce(s.missed, ''),
  coalesce(s.in_development = exists (select from development), false), domain_now()
from unnest($1::text[]) j (job)
left join schedule s on s.job = j.job
order by j.job
