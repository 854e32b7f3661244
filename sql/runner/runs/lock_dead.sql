-- Locks dead runs and lists them, oldest first. $1 ids or null for all, $2 a job or null for any. Rows: id, job, key,
-- state, attempt, when it died, error. Locks: those dead runs. Index: dead_run_pkey if ids are given.
select id, job, key, 'dead', attempt,
  iso_text(died_at, '.MS'), error
from dead_run
where ($1::bigint[] is null or id = any ($1)) and ($2::text is null or job = $2)
order by id
for update
