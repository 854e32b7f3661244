-- Deletes batches if they are abandoned, or if the retention period of dead runs has passed since they ended. A batch's
-- dead members are deleted before the batch itself. $1: the maximum number of members, and of batches. $2: the ids from
-- lock_abandoned_batches. A caller may have added members before the batches were locked, so this statement checks the
-- batches again. Rows: one row with the number of deleted members and batches. Locks: the deleted rows, SKIP LOCKED.
-- Index: batch_member_pkey. The statement reads the whole `batch` table.
with old as materialized (
  select b.id, exists (select from batch_member m where m.batch = b.id) as has_members
  from batch b
  where b.ended_at < cutoff_of((select dead_run_age from runner_setting))
    or b.id = any ($2::bigint[]) and
      -- include: abandoned_batch
  order by b.id
  limit $1
  for update skip locked
),
members as (
  delete from batch_member
  where ctid = any (array(
    select m.ctid from old, batch_member m where m.batch = old.id limit $1))
  returning 1
),
batches as (
  delete from batch where id in (select id from old where not has_members)
  returning 1
)
select (select count(*) from members) + (select count(*) from batches)
