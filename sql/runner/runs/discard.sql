-- Deletes dead runs and their payloads. $1: the run ids. Rows: one row with the number of deleted runs. Batch members
-- that have not been counted as dead are counted as cancelled. A run with a thousand ids may have lost the id of a
-- member (fragment holds_member), so a member also counts if no other run contains its id. Locks: the dead runs, which
-- lock_dead has already locked, and the batch members. Indexes: dead_run_pkey, run_payload_taken_by, batch_member_key,
-- run_pkey, dead_run_key.
with payloads as (
  delete from run_payload where taken_by = any ($1)
),
members as (
  update batch_member m set is_cancelled = true
  from dead_run d
  where d.id = any ($1) and m.job = d.job and m.key = d.key and not m.is_dead
    and (d.id = m.id or m.id = any (d.earlier_ids)
      or cardinality(d.earlier_ids) >= 1000 and (d.first_event_at <= m.recorded_at) is not false
        and m.recorded_at <= d.died_at
        and not exists (
          select from run r where r.job = m.job and r.key = m.key and (r.id = m.id or m.id = any (r.earlier_ids)))
        and not exists (
          select from dead_run o
          where o.job = m.job and o.key = m.key and o.id <> d.id and (o.id = m.id or m.id = any (o.earlier_ids))))
)
delete from dead_run where id = any ($1)
