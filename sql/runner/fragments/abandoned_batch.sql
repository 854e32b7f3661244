-- Condition for a batch `b` that was never sealed, and in which nothing has changed for the retention period of dead
-- runs. If another batch is nested in `b`, or if the parent of `b` is sealed and waits for `b`, the condition is false.
-- Rows: none, because the fragment is only a condition. Locks: none. Indexes: batch_member_pkey, batch_parent,
-- batch_pkey.
b.sealed_at is null and greatest(b.created_at, b.changed_at) < cutoff_of((select dead_run_age from runner_setting))
  and (select true from batch_member m where m.batch = b.id and not m.is_dead limit 1) is null
  and (select true from batch c where c.parent = b.id limit 1) is null
  and (select true from batch p where p.id = b.parent and p.sealed_at is not null and p.ended_at is null) is null
