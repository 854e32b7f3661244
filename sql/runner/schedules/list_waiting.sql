-- Lists the schedules of the given jobs that will fire, ordered by the time of firing. $1: the job names. Rows: job,
-- name, time of firing, seconds between two occurrences of an interval schedule (null for a cron expression). Locks:
-- none.
select job, name, fires_at, case when expression like 'every %' then split_part(expression, ' ', 2)::bigint end
from waiting_schedule
where job = any ($1)
order by fires_at, job, name
