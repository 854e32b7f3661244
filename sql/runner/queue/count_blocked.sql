-- Counts the due runs of a job before the first run that a claim could claim. Their keys are running, or another
-- transaction has locked them. $1: the job's name. $2 and $3: the due time and the id where the claim began. $4 and $5:
-- the due time and the id of the first run that the claim could claim. $6: the maximum count. Rows: one row with the
-- count. Locks: none. Index: run_ready.
select count(*)
from (
  select from due_run w
  where w.job = $1 and w.batch_limit = 0 and w.priority = (select priority from job where name = $1)
    and (w.due, w.id) >= ($2, $3) and (w.due, w.id) < ($4, $5)
  order by w.due, w.id
  limit $6) w
