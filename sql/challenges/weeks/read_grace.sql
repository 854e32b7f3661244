-- Reads the grace period, which is the time after the end of a week during which the week's workouts still count. Rows:
-- one row with the grace period in microseconds. Locks: none.
select (extract(epoch from grace) * 1000000)::bigint from setting
