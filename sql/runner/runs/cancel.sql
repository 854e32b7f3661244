-- Deletes a ready or dead run with its payloads, and stores its history. A running run is not changed. $1 is the id of
-- the run, $2 its job, $3 its key. Rows: one row with the id, or none if the run is neither ready nor dead. Locks: the
-- run, after any transaction that is claiming it, and the day's history partition against TRUNCATE. Indexes: run_pkey,
-- dead_run_pkey, run_payload_taken_by.
with ready as (
  delete from run r where job = $2 and key = $3 and state = 'ready' and id = $1 returning r
),
dead as (
  delete from dead_run d where id = $1 returning d
),
payloads as (
  delete from run_payload p
  where taken_by in (select (d).id from dead)
    -- A run that another transaction has merged into this one meanwhile still seems to run, or to be dead.
    or taken_by in (select unnest((r).earlier_ids) from ready)
    or (job, key, id) in (
      select f.job, f.key, f.id from free_payload f
      join ready on f.job = (r).job and f.key = (r).key)
),
ended as (
  select r from ready
  union all
  select jsonb_populate_record(null::run, to_jsonb(d)) from dead
),
-- The SELECT below reads the row of this SELECT, because PostgreSQL skips a SELECT in WITH that is not read.
recorded as materialized (
  select record_history('cancelled', array_agg(r)) from ended having count(*) > 0
)
select (r).id from ended, recorded
