-- Makes waiting runs due now, because a drain does not wait for debounces and backoffs. A run that was enqueued for a
-- later time remains unchanged until the clock has passed that time. A run that waits for an event remains unchanged until
-- the clock has passed the timeout. The turns of groups also become due now. Rows: one row with the number of changed runs.
-- Locks: the changed runs. The caller must have locked event_cursor. Indexes: run_ready, event_wait_pkey.
with turn as (
  update held_group set due = now() where due > now()
)
update run set due = greatest(now(),
  -- include: dispatched_at
  )
where worker is null and due > now() and (first_event_at is not null or run_at <= domain_now())
  and (has_checkpoint is null or (
    select true from event_wait w
    where w.run_id = run.id and w.attempt = run.attempt and w.expires_at > domain_now()
    limit 1) is null)
