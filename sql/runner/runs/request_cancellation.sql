-- Asks a running run's worker to end it; once is enough. $1 its id, $2 its job, $3 its key.
-- Rows: one, none where it does not run: whether nobody had asked before. Behind lock_settling.
-- Locks: the new row; none of the run, which its work holds. Index: run_pkey.
with running as (
  select id, job, key from run where job = $2 and key = $3 and state = 'running' and id = $1
),
requested as (
  insert into cancellation (run_id, job, key) select id, job, key from running
  on conflict do nothing
  returning run_id
)
select exists (select from requested) from running
