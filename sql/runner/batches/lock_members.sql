-- Locks the batches of which the given dead runs contain members, before a retry inserts the runs. Without this
-- statement, a dispatch could wait for the inserted runs while the retry waits for a batch. The caller must have locked
-- the dead runs in an earlier statement. $1: the ids of the dead runs. Rows: one empty row. Locks: see reopen_batches.
-- Indexes: dead_run_pkey, batch_member_key. A run with a thousand ids may have lost the id of a member.
select reopen_batches(array(
  select distinct m.batch
  from dead_run d
  join batch_member m on m.is_dead and m.job = d.job and m.key = d.key
  where d.id = any ($1)
    and (d.id = m.id or m.id = any (d.earlier_ids) or cardinality(d.earlier_ids) >= 1000)), false)
