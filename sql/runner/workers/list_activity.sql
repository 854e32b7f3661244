-- When each job last ran, how much it did, and since when it is paused.
-- Rows: job, last ran at, runs, batches, paused since. Locks: none.
select j.name, to_char(a.last_ran_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
  coalesce(a.runs, 0), coalesce(a.batches, 0),
  to_char(j.paused_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
from job j
left join job_activity a on a.job = j.name
order by j.name
