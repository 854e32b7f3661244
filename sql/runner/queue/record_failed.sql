-- Records a failed or snoozed attempt of claimed runs. The statement keeps the twenty newest failures and the twenty
-- newest snoozes of each run. Attempts are found by the run's id, because attempt numbers restart at 1 after a
-- committed step. $1: the job's name. $2: the run keys. $3: the fencing token. $4: the duration in ms. $5: the error or
-- the reason for the snooze, or null if nothing is recorded. $6: true if the attempt was snoozed. Rows: one row with
-- the number of runs that still had the fencing token. Locks: the new and the deleted rows. Indexes: run_pkey,
-- failed_attempt_run.
with failed as materialized (
  select id, job, key, attempt, worker from run
  where $5::text is not null
    and job = $1 and key = any ($2) and state = 'running' and token = $3
),
old as (
  delete from failed_attempt a
  using failed f, lateral (
    select o.id from failed_attempt o where o.run_id = f.id and o.is_snooze = $6
    order by o.id desc offset 19) o
  where a.id = o.id
)
insert into failed_attempt (run_id, job, key, attempt, worker, began_at, ended_at, error,
  is_snooze)
select f.id, f.job, f.key, f.attempt, w.name, now() - $4 * interval '1 millisecond', now(),
  left($5, 2000), $6
from failed f
left join worker w on w.id = f.worker
