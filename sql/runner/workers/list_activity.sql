-- Lists the activity of all jobs. Rows: job, time of the last run, number of completed runs, number of completed
-- batches, time of the pause. Locks: none.
select j.name, iso_text(a.last_ran_at),
  coalesce(a.runs, 0), coalesce(a.batches, 0),
  iso_text(j.paused_at)
from job j
left join job_activity a on a.job = j.name
order by j.name
