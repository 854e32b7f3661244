-- Sets the limit on workouts per user and day to the maximum, for benchmarks with few users. Rows: none. Locks: the
-- settings row.
update setting set workouts_a_day = 10000
