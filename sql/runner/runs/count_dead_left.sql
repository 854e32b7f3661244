-- Counts at most 10,001 dead runs that are left in a selection after a retry or a discard. A null parameter applies no
-- filter. Rows: one row with the number of runs. Locks: none. Index: none, because the statement reads all dead runs.
select count(*)
from (
  select from dead_run
  where ($1::text is null or job = $1) and ($2::text is null or starts_with(key, $2))
    and ($3::text is null or dead_group(error) = $3)
  limit 10001) counted
