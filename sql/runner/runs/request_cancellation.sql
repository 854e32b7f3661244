-- Requests the cancellation of a running run by its worker. $1 is the id of the run, $2 its job, $3 its key. Rows: one
-- row with true for the first request and false for a repeated request, or none if the run is not running. Locks: the
-- new row. The run is not locked, because the transaction of its work has already locked it. The caller must have
-- called lock_settling. Index: run_pkey.
with running as (
  select id, job, key from run where job = $2 and key = $3 and state = 'running' and id = $1
),
requested as (
  insert into cancellation (run_id, job, key) select id, job, key from running
  on conflict do nothing
  returning run_id
)
select exists (select from requested) from running
