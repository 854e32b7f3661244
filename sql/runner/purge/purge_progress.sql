-- Deletes the progress of runs whose last step is older than the retention time of dead runs. Such progress exists if a
-- run ended while the run's job stored no history. Rows: one row with the number of deleted rows. Locks: the deleted
-- rows. The statement reads the whole table, which is small.
delete from run_progress where written_at < cutoff_of((select dead_run_age from runner_setting))
