-- Stores the state and the progress of a claimed run, in the transaction of a step. $1: the job's name. $2: the run's
-- key. $3: the fencing token. $4: the run's id. $5: the state as JSON, or null for no change. $6 and $7: the progress,
-- or null for no change. Rows: one row with the number of stored checkpoints. Locks: the run, which lock_claimed has
-- already locked, and the checkpoint. Indexes: run_pkey, run_checkpoint_pkey. Only a run's first checkpoint changes the
-- run's row.
with marked as (
  update run set has_checkpoint = true
  where job = $1 and key = $2 and state = 'running' and token = $3 and has_checkpoint is null
)
insert into run_checkpoint as c (run_id, job, key, state, done, total)
values ($4, $1, $2, $5::text::json, $6, $7)
on conflict (run_id) do update
set state = coalesce(excluded.state, c.state), done = coalesce(excluded.done, c.done),
  total = coalesce(excluded.total, c.total), saved_at = excluded.saved_at
