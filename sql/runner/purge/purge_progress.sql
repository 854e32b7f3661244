-- Deletes the progress of runs whose last step is older than the retention time of dead runs. An ended run has progress
-- if the run's job stored no history at the end of the run. Rows: one row with the number of deleted rows. Locks: the
-- deleted rows. The statement reads the whole table `run_progress`, which is small.
delete from run_progress where written_at < cutoff_of((select dead_run_age from runner_setting))
