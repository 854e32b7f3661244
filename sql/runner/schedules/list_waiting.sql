-- Schedules that will fire, the first to fire first. $1 jobs. Rows: job, name, when it fires, expression, time zone,
-- missed. Locks: none.
select job, name, fires_at, expression, time_zone, missed
from waiting_schedule
where job = any ($1)
order by fires_at, job, name
