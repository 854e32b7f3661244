-- Finds the due run that a probe of a failing job claims. $1: the job's name. $2: the number of oldest due runs to choose
-- from. $3: a random number from 0 to $2 - 1. $4 and $5: the due time and the id where the search begins. Rows: one row
-- with the due time and the id, or none if no run is due. Locks: none, because the claim locks the run. Index:
-- run_ready, for each priority of the job.
with oldest as materialized (
  select w.due, w.id
  from job, unnest(priorities) p (priority), lateral (
    select r.due, r.id from run r
    where r.job = $1 and r.worker is null and not r.is_held and r.batch_limit = 0 and r.priority = p.priority
      and r.due <= now() and (r.due, r.id) >= ($4, $5)
    order by r.due, r.id
    limit $2) w
  where name = $1
  order by w.due, w.id
  limit $2)
-- If fewer runs are due than $2, each of them has nearly the same chance.
select due, id from oldest order by due, id offset $3 % (select greatest(count(*), 1) from oldest) limit 1
