-- Counts workouts, and the rank computations that they caused. Rows: one row with the numbers of workouts, completed
-- runs, and batches. Locks: none.
select (select count(*) from workout), (select coalesce(sum(runs), 0)::bigint from job_activity),
  (select coalesce(sum(batches), 0)::bigint from job_activity)
