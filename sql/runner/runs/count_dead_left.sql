-- How many dead runs of a job are left, counted up to 10,001. $1 job, $2 the name of a group or null for all. Rows:
-- one. Locks: none. Index: none, all dead runs.
select count(*)
from (
  select from dead_run
  where job = $1 and ($2::text is null or dead_group(error) = $2)
  limit 10001) counted
