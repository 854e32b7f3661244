-- Lists at most 51 dead runs, newest first. $1: the job's name. $2: the group's id. $3: the key prefix. $4: the id
-- after which the next page starts. A null parameter applies no filter. Rows: id, job, key, attempts, time of death,
-- first event, error. Locks: none. Index: dead_run_pkey.
select * from list_dead_runs($1, $2, $3, $4)
