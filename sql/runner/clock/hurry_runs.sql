-- Updates the due times of runs that were enqueued for a later time, after a running clock was moved forward. Runs in
-- backoff still wait for their next attempt. Rows: one row with the number of runs that became due. Locks: the updated
-- runs. The caller must have locked event_cursor. Index: run_ready.
with hurried as (
  update run
  set due = greatest(backoff_until, least(due, greatest(server_time(run_at), (
    -- Polls may have passed earlier places of the queue (fragment front).
    select case when dispatched_at > statement_timestamp() then statement_timestamp() else dispatched_at end from event_position order by id desc limit 1))))
  where state = 'ready' and due > now() and run_at is not null
  returning due
)
select count(*) from hurried where due <= now()
