-- Locks dead runs and lists them, oldest first. $1 contains the ids or is null for all runs, $2 is the job or null for
-- all jobs. Rows: id, job, key, state, attempt, time of death, error. Locks: the dead runs. Index: dead_run_pkey if ids
-- are given.
select id, job, key, 'dead', attempt,
  iso_text(died_at, '.MS'), error
from dead_run
where ($1::bigint[] is null or id = any ($1)) and ($2::text is null or job = $2)
order by id
for update
