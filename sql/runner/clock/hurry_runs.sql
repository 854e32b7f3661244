-- Brings runs that were asked for later to when a clock that was put ahead comes there; what waits for its
-- next attempt still does. Rows: one: how many are due now. Locks: those runs; the caller holds the cursor.
-- Index: run_ready.
with hurried as (
  update run
  set due = greatest(backoff_until, least(due, server_time(run_at)))
  where state = 'ready' and due > now() and run_at is not null
  returning due
)
select count(*) from hurried where due <= now()
