-- Lists claimed runs that this release leaves to another one, because it cannot decode them. A run that another release
-- has left is not left again, so that no two releases pass a run to each other forever. $1 is the job, $2 the keys, $3 the
-- token, $4 the program, $5 its release. Rows: the id; none if no other release of the program has the job. Locks: none.
-- Index: run_pkey.
select id from run
where job = $1 and key = any ($2) and state = 'running' and token = $3
  and (batch_limit >= -1 or batch_limit = -2 - $5::integer)
  and exists (
    select from job_release o where o.job = $1 and o.program = $4 and o.release <> $5::integer)
