-- Removes a run that waits or is dead, with its payloads, and writes its history. A running run is not changed. $1 its
-- id, $2 its job, $3 its key. Rows: one: its id; none if it neither waits nor is dead. Locks: that run, after a
-- transaction that claims it; the day's partition of the history against TRUNCATE. Indexes: run_pkey, dead_run_pkey,
-- run_payload_taken_by.
with ready as (
  delete from run r where job = $2 and key = $3 and state = 'ready' and id = $1 returning r
),
dead as (
  delete from dead_run d where id = $1 returning d
),
payloads as (
  delete from run_payload p
  where taken_by in (select (d).id from dead)
    or (job, key, id) in (
      select f.job, f.key, f.id from free_payload f
      join ready on f.job = (r).job and f.key = (r).key)
),
ended as (
  select r from ready
  union all
  select jsonb_populate_record(null::run, to_jsonb(d)) from dead
),
-- One row, which the SELECT below reads: PostgreSQL does not run a SELECT in WITH that no other part reads.
recorded as materialized (
  select record_history('cancelled', array_agg(r)) from ended having count(*) > 0
)
select (r).id from ended, recorded
