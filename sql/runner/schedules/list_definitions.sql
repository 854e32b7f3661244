-- What is registered of the schedules of some jobs beside what they are to be, and the clock. $1 jobs, $2 names
-- and $3 payloads of the schedules that they are to have, as JSON or null; $4 the jobs.
-- Rows: one a schedule that is to be or is: job, name, whether it is to be, whether it is, expression, time
-- zone, missed, whether it was reckoned by this clock, domain time, whether the payload is the same.
-- Locks: none.
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
