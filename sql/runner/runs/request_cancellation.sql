-- Requests that a running run's worker ends it. One request is enough. $1 its id, $2 its job, $3 its key. Rows: one:
-- whether this is the first request; none if the run does not run. Runs after lock_settling. Locks: the new row, but
-- not the run, which its work has locked. Index: run_pkey.
with running as (
  select id, job, key from run where job = $2 and key = $3 and state = 'running' and id = $1
),
requested as (
  insert into cancellation (run_id, job, key) select id, job, key from running
  on conflict do nothing
  returning run_id
)
select exists (select from requested) from running
