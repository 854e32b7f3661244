-- Deletes claimed runs that an operator has cancelled, their payloads and the cancellation requests. $1 is the job, $2
-- the keys, $3 the token. $4 is the duration of the attempt in ms, $5 its report as JSON, both without the steps in
-- run_progress. Rows: the ids of the deleted runs. Locks: the runs, and the day's history partition against TRUNCATE. The caller must have
-- called lock_cancellations. Indexes: cancellation_pkey, run_pkey, run_payload_taken_by.
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
-- The SELECT below reads the row of this SELECT, because PostgreSQL skips a SELECT in WITH that is not read.
recorded as materialized (
  select record_history('cancelled', array_agg(r), null, $4, $5::text::jsonb) from ended having count(*) > 0
)
select (r).id from ended, recorded
