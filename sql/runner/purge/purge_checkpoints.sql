-- Deletes the checkpoints, the stored steps and the waits of ended runs. An ended run still has a checkpoint if, for
-- example, the run was cancelled, or was deleted as a dead run. $1: the maximum number of checkpoints. Rows: one row
-- with the number of deleted checkpoints. Locks: the deleted rows. Indexes: run_checkpoint_pkey, run_step_pkey,
-- event_wait_pkey, run_pkey, dead_run_pkey. The checkpoint of a run that is being retried concurrently is never
-- deleted.
with ended as materialized (
  select run_id from ended_checkpoint order by run_id limit $1
),
steps as (
  delete from run_step where run_id = any (array(select run_id from ended))
),
waits as (
  delete from event_wait where run_id = any (array(select run_id from ended))
)
delete from run_checkpoint where run_id = any (array(select run_id from ended))
