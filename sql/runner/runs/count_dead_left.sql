-- Counts the remaining dead runs of a job, up to 10,001. $1 is the job, $2 the name of a group or null for all groups.
-- Rows: one row with the number. Locks: none. Index: none, because all dead runs are read.
select count(*)
from (
  select from dead_run
  where job = $1 and ($2::text is null or dead_group(error) = $2)
  limit 10001) counted
