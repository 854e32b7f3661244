-- Leaves every side the same start, as the raw side's setup does. Rows: none.
-- Locks: the tables, SHARE UPDATE EXCLUSIVE. A statement of its own: VACUUM takes no transaction.
vacuum analyze baton_bench.run, baton_bench.entry, baton_bench.standing, baton_bench.publication,
  baton_bench.challenge, baton_bench.workout, baton_bench.workout_day, baton_bench.member
