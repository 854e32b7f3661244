-- Makes every ready run due now: a drain does not wait for debounces or backoffs. A run that was enqueued for a later
-- time stays, unless the clock was moved past that time. Rows: the number changed. Locks: those runs. Index: run_ready.
update run set due = now()
where state = 'ready' and due > now() and (first_event_at is not null or run_at <= domain_now())
