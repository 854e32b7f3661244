-- Reads the checkpoint of a claimed run. $1: the run's id. Rows: one row with the state as JSON (null if the job only
-- reports progress), or no rows if the run has no checkpoint. Locks: none. Index: run_checkpoint_pkey. If lock_claimed
-- was executed in the same transaction, no other attempt can write the checkpoint.
select state::text from run_checkpoint where run_id = $1
