-- Condition for a batch `b` that was never sealed, and in which nothing has changed for the retention time of dead
-- runs. If another batch is nested in the batch, or if a sealed batch waits for the batch, the condition is false. When
-- a nested batch without a job ends, no column of the parent changes, but the row of the nested batch remains for the
-- retention time. The scalar subqueries search the indexes once for each batch. Rows: none, because the fragment is
-- only a condition. Locks: none. Indexes: batch_member_pkey, batch_parent, batch_pkey.
b.sealed_at is null and greatest(b.created_at, b.changed_at) < cutoff_of((select dead_run_age from runner_setting))
  and (select true from batch_member m where m.batch = b.id and not m.is_dead limit 1) is null
  and (select true from batch c where c.parent = b.id limit 1) is null
  and (select true from batch p where p.id = b.parent and p.sealed_at is not null and p.ended_at is null) is null
