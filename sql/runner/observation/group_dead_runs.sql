-- The newest 20,000 dead runs by job and the first line of their errors, the largest groups first. Rows: name of the
-- group, job, line, how many, when the newest and the oldest died, id of the newest; 200 at most. Locks: none. Index:
-- dead_run_pkey.
select * from group_dead_runs()
