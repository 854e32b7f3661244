-- Compares the stored schedules of the given jobs with the declared schedules. $1: the jobs of the declared schedules.
-- $2: the names of the declared schedules. $3: the payloads of the declared schedules, as JSON or null. $4: the jobs
-- whose stored schedules the statement compares. A declared schedule is treated as undeclared if its job is retired, or
-- if a caller created a schedule with its name at run time. Rows: one row for each declared or stored schedule. The
-- columns are job, name, whether the schedule is declared, whether it is stored, and the stored expression, time zone
-- and policy for missed occurrences. The last two columns are whether the next occurrence was computed with the current
-- clock (server or development), and whether the declared and stored payloads are equal. Locks: none.
with wanted as (
  select * from unnest($1::text[], $2::text[], $3::text[]) w (job, name, payload)
  where job not in (select r.name from job r where r.retired_at is not null)
    and not exists (select from schedule s where s.job = w.job and s.name = w.name and s.source = 'sql')
),
registered as (
  select s.* from schedule s
  where s.source = 'program'
    and (s.job = any ($4) or exists (select from wanted w where (w.job, w.name) = (s.job, s.name)))
)
select job, name, w.job is not null, s.job is not null, coalesce(s.expression, ''), s.time_zone,
  coalesce(s.missed, ''), coalesce(s.in_development = exists (select from development), false),
  s.payload is not distinct from w.payload::jsonb
from wanted w
full join registered s using (job, name)
order by job, name
