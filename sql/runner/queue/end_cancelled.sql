-- Removes claimed runs that an operator cancelled, the payloads that they had taken, and the requests. $1 job, $2 keys,
-- $3 token, $4 how many milliseconds the attempt took, $5 the report of its committed steps, as JSON. Rows: the ids of
-- the runs. Runs after lock_cancellations. Locks: the runs; the day's partition of the history against TRUNCATE.
-- Indexes: cancellation_pkey, run_pkey, run_payload_taken_by.
with ended as (
  delete from run r using cancellation c
  where c.job = $1 and c.key = any ($2)
    and r.job = $1 and r.key = c.key and r.state = 'running' and r.token = $3 and r.id = c.run_id
  returning r
),
requests as (
  delete from cancellation where run_id in (select (r).id from ended)
),
payloads as (
  delete from run_payload where taken_by in (select (r).id from ended)
),
-- One row, which the SELECT below reads: PostgreSQL does not run a SELECT in WITH that no other part reads.
recorded as materialized (
  select record_history('cancelled', array_agg(r), null, $4, $5::text::jsonb) from ended having count(*) > 0
)
select (r).id from ended, recorded
