-- Compares the registered schedules of some jobs with the declared ones, and reads the clock. $1 jobs, $2 names and $3
-- payloads of the declared schedules, as JSON or null; $4 the jobs. Rows: one per schedule that is declared or
-- registered: job, name, whether it is declared, whether it is registered, expression, time zone, missed, whether its
-- next occurrence was computed by this clock, domain time, whether the payload is the same. Locks: none.
with wanted as (
  select * from unnest($1::text[], $2::text[], $3::text[]) w (job, name, payload)
),
registered as (
  select s.* from schedule s
  where s.job = any ($4) or exists (select from wanted w where (w.job, w.name) = (s.job, s.name))
)
select job, name, w.job is not null, s.job is not null, coalesce(s.expression, ''), s.time_zone,
  coalesce(s.missed, ''), coalesce(s.in_development = exists (select from development), false),
  domain_now(), s.payload is not distinct from w.payload::jsonb
from wanted w
full join registered s using (job, name)
order by job, name
