-- Dead runs of a job to settle by hand, oldest first. $1 job, $2 the name of a group or null for all, $3 how many at
-- most. Rows: ids. Locks: those dead runs. Index: dead_run_pkey; runs of other jobs are read and skipped.
select id from dead_run
where job = $1 and ($2::text is null or dead_group(error) = $2)
order by id
limit $3
for update
