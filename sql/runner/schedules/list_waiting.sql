-- Schedules that are waited for, the first to fire first. $1 jobs.
-- Rows: job, when it fires, expression, time zone, missed. Locks: none.
select job, fires_at, expression, time_zone, missed
from waiting_schedule
where job = any ($1)
order by fires_at, job
