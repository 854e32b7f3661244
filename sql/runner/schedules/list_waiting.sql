-- Lists the schedules of some jobs that will fire, ordered by the time of firing. $1: the names of the jobs. Rows: job,
-- name, time of firing, expression, time zone, policy for missed occurrences. Locks: none.
select job, name, fires_at, expression, time_zone, missed
from waiting_schedule
where job = any ($1)
order by fires_at, job, name
