-- Deletes claimed runs that an operator has cancelled, their payloads, and the cancellation requests. $1: the job's
-- name. $2: the run keys. $3: the fencing token. $4: the duration of the attempt in ms. $5: the attempt's report as
-- JSON. $4 and $5 exclude the steps in run_progress. Rows: the ids of the deleted runs. Locks: the runs, and the day's
-- history partition (to block TRUNCATE). The caller must have called lock_cancellations. Indexes: cancellation_pkey,
-- run_pkey, run_payload_taken_by.
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
-- PostgreSQL executes a SELECT in WITH only if another query in the statement reads its rows.
recorded as materialized (
  select record_history('cancelled', array_agg(r), null, $4, $5::text::jsonb) from ended having count(*) > 0
)
select (r).id from ended, recorded
