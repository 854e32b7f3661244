-- Ends the claimed runs of a job that keeps history, in the transaction of their work. $1 job, $2 keys, $3 token, $4
-- how many were claimed, $5 how many milliseconds the attempt took, $6 its report and $7 its output as JSON. Rows: one;
-- ZB011 if any is missing. Locks: the runs, held since lock_claimed; the day's partition against TRUNCATE. Index:
-- run_pkey.
with ended as (
  delete from run r
  where job = $1 and key = any ($2) and state = 'running' and token = $3
  returning r
)
select check_claim(count(*), $4),
  record_history('done', array_agg(r), null, $5, $6::text::jsonb, $7::text::jsonb)
from ended
