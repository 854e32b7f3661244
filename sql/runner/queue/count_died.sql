-- Runs of some jobs that died since an instant. $1 jobs, $2 the instant, by the server's clock.
-- Rows: one: the number. Locks: none. Reads dead_run, which is short.
select count(*) from dead_run where job = any ($1) and died_at >= $2
