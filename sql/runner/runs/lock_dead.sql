-- Locks dead runs that an operator wants to retry or discard, and lists them, oldest first. $1: the ids. $2: the job.
-- $3: the key prefix. $4: the name of a group. $5: the id after which the list begins. $6: the maximum number. A null
-- parameter does not filter. Rows: id, job, key, state, attempt, time of death, error. Locks: the dead runs. Index:
-- dead_run_pkey, from which other runs are also read if no ids are given.
select id, job, key, 'dead', attempt,
  iso_text(died_at, '.MS'), error
from dead_run
where ($1::bigint[] is null or id = any ($1)) and ($2::text is null or job = $2)
  and ($3::text is null or starts_with(key, $3)) and ($4::text is null or dead_group(error) = $4)
  and ($5::bigint is null or id > $5)
order by id
limit $6
for update
