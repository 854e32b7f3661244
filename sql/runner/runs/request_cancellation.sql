-- Requests the cancellation of running runs by their workers. $1: the run ids. $2: each run's job. $3: each run's key.
-- Rows: the id of each running run, and a boolean that is true if the request is the first one for that run. Locks: the
-- new rows. The statement does not lock the runs, because the workers' transactions have already locked them. The
-- caller must have called lock_settling. Index: run_pkey.
with running as (
  select r.id, r.job, r.key
  from unnest($1::bigint[], $2::text[], $3::text[]) a (id, job, key)
  join run r on r.job = a.job and r.key = a.key and r.state = 'running' and r.id = a.id
    and r.worker is not null
),
requested as (
  insert into cancellation (run_id, job, key) select id, job, key from running
  on conflict do nothing
  returning run_id
)
select id, id in (select run_id from requested) from running
