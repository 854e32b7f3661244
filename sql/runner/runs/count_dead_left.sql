-- Counts at most 10,001 dead runs that are left in a selection after a retry or a discard. $1: the job's name. $2: the
-- key prefix. $3: the name of a group. A null parameter applies no filter. The statement compares $3 only with the
-- 20,000 newest dead runs of the job, like lock_dead. Rows: one row with the number of runs. Locks: none. Index:
-- dead_run_pkey for $3. Without $3, the statement reads all dead runs.
select count(*)
from (
  select from dead_run
  where ($1::text is null or job = $1) and ($2::text is null or starts_with(key, $2))
    and ($3::text is null or id >= coalesce((
        select n.id from dead_run n where $1::text is null or n.job = $1 order by n.id desc offset 19999 limit 1), 0)
      and dead_group(error) = $3)
  limit 10001) counted
