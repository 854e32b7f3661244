-- After a running clock was moved forward, makes runs that were enqueued for a later time due by the new clock. Runs
-- that wait for their next attempt keep waiting. Rows: one: how many are due now. Locks: those runs; the caller holds
-- the cursor. Index: run_ready.
with hurried as (
  update run
  set due = greatest(backoff_until, least(due, server_time(run_at)))
  where state = 'ready' and due > now() and run_at is not null
  returning due
)
select count(*) from hurried where due <= now()
