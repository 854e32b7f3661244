-- Counts the runs of the given jobs that have become dead since the instant $2. $1: the job names. $2: the instant in
-- server time. Rows: one row with the number of dead runs. Locks: none. The statement reads dead_run, which is a small
-- table.
select count(*) from dead_run where job = any ($1) and died_at >= $2
