-- Deletes the checkpoint of a run, in the transaction that completes the run. $1: the id of the run. Rows: one row with
-- the number of deleted checkpoints. Locks: the checkpoint. Index: run_checkpoint_pkey.
delete from run_checkpoint where run_id = $1
