-- Locks and lists dead runs that an operator wants to retry or discard, oldest first. $1: the ids. $2: the job's name.
-- $3: the key prefix. $4: the name of a group. $5: the id after which the list starts. $6: the maximum number of runs.
-- A null parameter applies no filter. No index contains groups, so the statement compares $4 only with the 20,000
-- newest dead runs of the job, like the pages (list_dead_runs). Rows: id, job, key, state, attempt, time of death,
-- error. Locks: the dead runs. Index: dead_run_pkey. If $1 is null, the statement also reads runs that do not match the
-- other parameters.
select id, job, key, 'dead', attempt,
  iso_text(died_at, '.MS'), error
from dead_run
where ($1::bigint[] is null or id = any ($1)) and ($2::text is null or job = $2)
  and ($3::text is null or starts_with(key, $3))
  and ($4::text is null or id >= coalesce((
      select n.id from dead_run n where $2::text is null or n.job = $2 order by n.id desc offset 19999 limit 1), 0)
    and dead_group(error) = $4)
  and ($5::bigint is null or id > $5)
order by id
limit $6
for update
