-- Deletes cancelled running runs that no worker executes, with their payloads and cancellation requests. A run is
-- deleted if no live worker executes it. A run of the worker $1 is also deleted if $2 contains its token. $2: the
-- tokens that the worker $1 does not know. Rows: the ids of the deleted runs. Locks: the runs, SKIP LOCKED, because a
-- dead worker's last transaction may still have locked a run. The statement also locks the day's history partition (to
-- block TRUNCATE). The caller must have called lock_cancellations. Indexes: run_pkey, run_payload_taken_by. The
-- statement reads `cancellation`, which is a small table.
with ended as (
  delete from run d
  where d.ctid = any (array(
    select r.ctid from cancellation c
    join run r on r.job = c.job and r.key = c.key and r.state = 'running' and r.id = c.run_id and r.worker is not null
    where r.worker = $1::uuid and r.token = any ($2::uuid[]) or
      -- include: lost_run
    for update of r skip locked))
  returning d as r
),
requests as (
  delete from cancellation where run_id in (select (r).id from ended)
),
payloads as (
  delete from run_payload where taken_by in (select (r).id from ended)
),
unassigned as (
  delete from run_payload
  where ctid = any (array(
    select u.place
    from (select (e.r).* from ended e) r, lateral (
      select f.place from free_payload f
      where
        -- include: unassigned
      offset 0) u))
),
-- PostgreSQL executes a SELECT in WITH only if another query in the statement reads its rows.
recorded as materialized (
  select record_history('cancelled', array_agg(r)) from ended having count(*) > 0
)
select (r).id from ended, recorded
