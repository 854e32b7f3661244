-- How many writes caused how many recomputes. Rows: one: workouts, runs done, batches. Locks: none.
select (select count(*) from workout), (select coalesce(sum(runs), 0)::bigint from job_activity),
  (select coalesce(sum(batches), 0)::bigint from job_activity)
