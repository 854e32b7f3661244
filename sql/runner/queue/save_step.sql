-- Stores the result of one step of a claimed run, in a separate transaction. $1: the job's name. $2: the run's key. $3:
-- the fencing token. $4: the run's id. $5: the step's name. $6: the result as JSON. Rows: one row with the number of
-- stored results. The number is 0 if the result is already stored. An attempt repeats the statement if it received no
-- response to COMMIT. Locks: the checkpoint, the step, and the run, which lock_claimed has already locked. Indexes:
-- run_pkey, run_checkpoint_pkey, run_step_pkey. Only a run's first stored step changes the run's row.
with marked as (
  update run set has_checkpoint = true
  where job = $1 and key = $2 and state = 'running' and token = $3 and has_checkpoint is null
),
checkpoint as (
  insert into run_checkpoint as c (run_id, job, key) values ($4, $1, $2)
  on conflict (run_id) do update set saved_at = excluded.saved_at
)
insert into run_step (run_id, name, result) values ($4, $5, $6::text::json)
on conflict (run_id, name) do nothing
