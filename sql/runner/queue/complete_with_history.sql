-- Ends the claimed runs of a job that keeps history, in the transaction of their work.
-- $1 job, $2 keys, $3 token, $4 how many were claimed, $5 how many milliseconds the attempt took,
-- $6 its report as JSON. Rows: one; ZB011 where any is missing.
-- Locks: the runs, held since lock_claimed; the day's partition against TRUNCATE. Index: run_pkey.
with ended as (
  delete from run
  where job = $1 and key = any ($2) and state = 'running' and token = $3
  returning id, key, attempt
),
moment as materialized (
  select clock_timestamp() as at
),
recorded as (
  insert into run_history (partition, created_at, id, job, key, attempt, outcome, started_at,
    duration_ms, report)
  select day_partition(at), at, id, $1, key, attempt, 'done', at - $5::bigint * interval '1 millisecond',
    $5, $6::text::jsonb
  from ended, moment
)
select check_claim(count(*), $4) from ended
