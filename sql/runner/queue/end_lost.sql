-- Removes running runs that were cancelled and that no worker works on, with the payloads that they had taken, and the
-- requests. Either their worker is dead, or it is $1 and they carry one of the tokens $2, which that worker does not
-- know. Rows: the ids of the runs. Runs after lock_cancellations. Locks: the runs, SKIP LOCKED: a dead worker's last
-- transaction may still be open in the server; the day's partition of the history against TRUNCATE. Indexes: run_pkey,
-- run_payload_taken_by. Reads cancellation, which is short.
with ended as (
  delete from run d
  where d.ctid = any (array(
    select r.ctid from cancellation c
    join run r on r.job = c.job and r.key = c.key and r.state = 'running' and r.id = c.run_id
    where r.worker in (select id from dead_worker)
      or not exists (select from worker w where w.id = r.worker)
      or r.worker = $1::uuid and r.token = any ($2::uuid[])
    for update of r skip locked))
  returning d as r
),
requests as (
  delete from cancellation where run_id in (select (r).id from ended)
),
payloads as (
  delete from run_payload where taken_by in (select (r).id from ended)
),
-- One row, which the SELECT below reads: PostgreSQL does not run a SELECT in WITH that no other part reads.
recorded as materialized (
  select record_history('cancelled', array_agg(r)) from ended having count(*) > 0
)
select (r).id from ended, recorded
