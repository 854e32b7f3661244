-- When each job last ran, how much it has done, and since when it is paused. Rows: job, last ran at, runs, batches,
-- paused since. Locks: none.
select j.name, iso_text(a.last_ran_at),
  coalesce(a.runs, 0), coalesce(a.batches, 0),
  iso_text(j.paused_at)
from job j
left join job_activity a on a.job = j.name
order by j.name
