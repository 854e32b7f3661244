-- Lists the next 1,000 schedules of some jobs after a place in the order of job and name. $1: the names of the jobs. $2:
-- the job of the place. $3: the name of the place. Rows: job, name, expression, time zone, policy for missed occurrences,
-- next occurrence, domain time. Locks: none. Index: schedule_pkey.
select job, name, expression, time_zone, missed, next_at, domain_now()
from schedule
where job = any ($1) and (job, name) > ($2, $3) and paused_at is null and next_at is not null
  and in_development = exists (select from development)
  and not exists (select from development where not fires_schedules)
order by job, name
limit 1000
