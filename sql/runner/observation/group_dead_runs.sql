-- Groups the 20,000 most recent dead runs by job and by the first line of their errors. Rows: name of the group, job,
-- line, number of runs, latest time of death, earliest time of death, id of the newest run. The statement returns at
-- most 200 groups, largest first. Locks: none. Index: dead_run_pkey.
select * from group_dead_runs()
