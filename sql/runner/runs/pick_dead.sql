-- Locks dead runs of a job that an operator wants to retry or discard, oldest first. $1 is the job, $2 the name of a
-- group or null for all groups, $3 the maximum number. Rows: the ids. Locks: the dead runs. Index: dead_run_pkey, from
-- which runs of other jobs are also read.
select id from dead_run
where job = $1 and ($2::text is null or dead_group(error) = $2)
order by id
limit $3
for update
