-- Deletes waiting and dead runs with their payloads, and stores the history of the deleted runs. Running runs are not
-- changed. $1: the run ids. $2: each run's job. $3: each run's key. Rows: the ids of the deleted runs. Locks: the runs
-- (after waiting for transactions that claim these runs), and the day's history partition (to block TRUNCATE). Indexes:
-- run_pkey, dead_run_pkey, run_payload_taken_by.
with asked as (
  select * from unnest($1::bigint[], $2::text[], $3::text[]) a (id, job, key)
),
ready as (
  delete from run r using asked a
  where r.job = a.job and r.key = a.key and (r.worker is null) is true and r.id = a.id
  returning r
),
dead as (
  delete from dead_run d where id = any ($1) returning d
),
-- In the statement's snapshot, runs that a concurrent transaction has merged into a ready run are still running or
-- dead. The `earlier_ids` column of the ready run contains the ids of the merged runs.
taken as (
  select (d).id from dead
  union all
  select unnest((r).id || (r).earlier_ids) from ready
),
-- With OR instead of UNION, the statement would read all payloads.
payloads as (
  delete from run_payload
  where (job, key, id) in (
    select p.job, p.key, p.id from taken t join run_payload p on p.taken_by = t.id
    union
    select f.job, f.key, f.id from free_payload f
    join (
      -- If a running run of the key has no payloads yet, older free payloads belong to it (assign_payloads).
      select (w.r).job, (w.r).key, coalesce((
        select b.payload_event from run b
        where b.job = (w.r).job and b.key = (w.r).key and b.state = 'running' and b.has_checkpoint is null
          and (select true from run_payload p where p.taken_by = b.id limit 1) is null), 0) as claimed
      from ready w
      -- A run with a checkpoint has the `running` state and gets no free payloads. Therefore, its cancellation does not
      -- delete free payloads.
      where (w.r).state = 'ready'
      offset 0) c on f.job = c.job and f.key = c.key and f.id > c.claimed)
),
ended as (
  select r from ready
  union all
  select jsonb_populate_record(null::run, to_jsonb(d)) from dead
),
-- PostgreSQL executes a SELECT in WITH only if another query in the statement reads its rows.
recorded as materialized (
  select record_history('cancelled', array_agg(r)) from ended having count(*) > 0
)
select (r).id from ended, recorded
