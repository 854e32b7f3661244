-- Deletes the progress of runs whose last step is older than the retention period of dead runs. An ended run has
-- progress if the run's job stored no history when the run ended. Rows: one row with the number of deleted rows. Locks:
-- the deleted rows. The statement reads the whole `run_progress` table, which is small.
delete from run_progress where written_at < cutoff_of((select dead_run_age from runner_setting))
