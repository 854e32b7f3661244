-- Groups the newest 20,000 dead runs by job and by the first line of their errors. Rows: name of the group, job, line,
-- number of runs, newest time of death, oldest time of death, id of the newest run. At most 200 groups are returned,
-- largest first. Locks: none. Index: dead_run_pkey.
select * from group_dead_runs()
