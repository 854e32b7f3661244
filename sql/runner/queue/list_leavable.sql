-- Lists the claimed runs that this release cannot decode, and that may be left to another release. If another release
-- has already left a run, the run is not listed. If a run could be left twice, two releases could pass the run back and
-- forth forever. $1: the job's name. $2: the run keys. $3: the fencing token. $4: the program's name. $5: the program's
-- release. Rows: the id of each run. If no other release of the program has the job, no rows are returned. Locks: none.
-- Index: run_pkey.
select id from run
where job = $1 and key = any ($2) and state = 'running' and token = $3
  and (batch_limit >= -1 or batch_limit = -2 - $5::integer)
  and exists (
    select from job_release o where o.job = $1 and o.program = $4 and o.release <> $5::integer)
