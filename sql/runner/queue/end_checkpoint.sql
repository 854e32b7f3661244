-- Deletes the checkpoint and the stored steps of a run, in the transaction that completes the run. $1: the id of the run.
-- Rows: one row with the number of deleted checkpoints. Locks: the checkpoint and the steps. Indexes: run_checkpoint_pkey,
-- run_step_pkey.
with steps as (
  delete from run_step where run_id = $1
)
delete from run_checkpoint where run_id = $1
