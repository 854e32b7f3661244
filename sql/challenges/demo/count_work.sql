-- Counts writes and the recomputes that they caused. Rows: one row with workouts, completed runs, batches. Locks: none.
select (select count(*) from workout), (select coalesce(sum(runs), 0)::bigint from job_activity),
  (select coalesce(sum(batches), 0)::bigint from job_activity)
