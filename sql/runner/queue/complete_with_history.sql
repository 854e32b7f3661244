-- Completes the claimed runs of a job that stores history, in the transaction of their work. $1: the job's name. $2:
-- the run keys. $3: the fencing token. $4: the number of claimed runs. $5: the duration of the attempt in ms. $6: the
-- report. $5 and $6 exclude the committed steps. $7: the output as JSON. Rows: one row, or error ZB011 if another
-- worker has claimed one of the runs. Locks: the runs, which lock_claimed has already locked, and the day's history
-- partition (to block TRUNCATE). Index: run_pkey.
with ended as (
  delete from run r
  where job = $1 and key = any ($2) and state = 'running' and token = $3
  returning r
)
select check_claim(count(*), $4),
  record_history('done', array_agg(r), null, $5, $6::text::jsonb, $7::text::jsonb)
from ended
