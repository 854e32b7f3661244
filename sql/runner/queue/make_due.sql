-- Makes all ready runs due now, because a drain does not wait for debounces and backoffs. A run that was enqueued for a
-- later time is changed only if the clock has passed that time. Rows: the number of changed runs. Locks: the changed
-- runs. The caller must have locked event_cursor. Index: run_ready.
update run set due = greatest(now(), (
  -- Polls may have passed earlier places of the queue (fragment front).
  select case when dispatched_at > statement_timestamp() then statement_timestamp() else dispatched_at end from event_position order by id desc limit 1))
where state = 'ready' and due > now() and (first_event_at is not null or run_at <= domain_now())
