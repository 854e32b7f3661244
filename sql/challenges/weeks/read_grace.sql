-- How long a week takes workouts after its end, in microseconds. Rows: one. Locks: none.
select (extract(epoch from grace) * 1000000)::bigint from setting
