-- Reads the queue of a job before the first run that a claim could claim, and returns whether later claims should skip
-- this part. The part can contain many due runs that are blocked or locked. While an old transaction is open, the part
-- can also contain many index entries of completed runs, so the time counts too. $1: the job's name. $2 and $3: the due
-- time and the id where the claim began. $4 and $5: the due time and the id of the first run that the claim could
-- claim. $6: the number of due runs that are many. Rows: one row with a boolean. Locks: none. Index: run_ready.
select count(*) = $6 or clock_timestamp() - statement_timestamp() >= interval '2 milliseconds'
from (
  select from due_run w
  where w.job = $1 and w.batch_limit = 0 and w.priority = (select priority from job where name = $1)
    and (w.due, w.id) >= ($2, $3) and (w.due, w.id) < ($4, $5)
  order by w.due, w.id
  limit $6) w
