-- Counts the dead runs of some jobs since an instant. $1 contains the jobs, $2 is the instant by the server's clock.
-- Rows: one row with the number. Locks: none. The statement reads dead_run, which is a small table.
select count(*) from dead_run where job = any ($1) and died_at >= $2
