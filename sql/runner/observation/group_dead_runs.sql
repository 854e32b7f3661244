-- Groups the newest 20,000 dead runs by job and by the first line of their errors. Rows: the name of the group, the
-- job, the line, the number of runs, the newest and the oldest time of death, the id of the newest run. At most 200
-- groups are returned, largest first. Locks: none. Index: dead_run_pkey.
select * from group_dead_runs()
