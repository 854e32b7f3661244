-- Deletes the checkpoint, the stored steps and the waits of a run, in the transaction that completes the run. $1: the
-- run's id. Rows: one row with the number of deleted checkpoints. Locks: the checkpoint, the steps and the waits.
-- Indexes: run_checkpoint_pkey, run_step_pkey, event_wait_pkey.
with steps as (
  delete from run_step where run_id = $1
),
waits as (
  delete from event_wait where run_id = $1
)
delete from run_checkpoint where run_id = $1
