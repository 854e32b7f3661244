-- Reads the grace period, the time after the end of a week in which its workouts still count, in microseconds. Rows:
-- one row. Locks: none.
select (extract(epoch from grace) * 1000000)::bigint from setting
