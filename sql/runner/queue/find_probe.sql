-- Finds the due run that a probe of a failing job claims. $1: the job's name. $2: the number of due runs before it. $3
-- and $4: the due time and the id where the search begins. Rows: one row with the due time and the id, or none if fewer
-- runs are due. Locks: none, because the claim locks the run. Index: run_ready, for each priority of the job.
select w.due, w.id
from job, unnest(priorities) p (priority), lateral (
  select r.due, r.id from run r
  where r.job = $1 and r.worker is null and not r.is_held and r.batch_limit = 0 and r.priority = p.priority
    and r.due <= now() and (r.due, r.id) >= ($3, $4)
  order by r.due, r.id
  limit $2 + 1) w
where name = $1
order by w.due, w.id
offset $2 limit 1
