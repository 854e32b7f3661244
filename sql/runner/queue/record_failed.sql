-- Records that an attempt failed for claimed runs, and keeps the newest twenty of each run. They are found by the run's
-- id, because after a committed step the attempts of a run are counted from 1 again. $1 job, $2 keys, $3 token, $4 how
-- many milliseconds it took, $5 error; null: the attempt does not count. Rows: as many as still carried the token.
-- Locks: new rows, and those that are removed. Indexes: run_pkey, failed_attempt_run.
with failed as materialized (
  select id, job, key, attempt, worker from run
  where $5::text is not null
    and job = $1 and key = any ($2) and state = 'running' and token = $3
),
old as (
  delete from failed_attempt a
  using failed f, lateral (
    select o.id from failed_attempt o where o.run_id = f.id order by o.id desc offset 19) o
  where a.id = o.id
)
insert into failed_attempt (run_id, job, key, attempt, worker, began_at, ended_at, error)
select f.id, f.job, f.key, f.attempt, w.name, now() - $4 * interval '1 millisecond', now(),
  left($5, 2000)
from failed f
left join worker w on w.id = f.worker
