-- Deletes the progress of runs that have committed no step for longer than dead runs are kept. Such runs ended while
-- their job stored no history. Rows: the number of deleted rows. Locks: the deleted rows. The table is small.
delete from run_progress where written_at < cutoff_of((select dead_run_age from runner_setting))
