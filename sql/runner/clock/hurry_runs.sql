-- Updates the due times of runs that were enqueued for a later time, after a development clock was moved forward. Runs
-- in backoff keep the due time of their next attempt. Rows: one row with the number of runs that became due. Locks: the
-- updated runs. The caller must have locked event_cursor. Index: run_ready.
with hurried as (
  update run
  set due = greatest(backoff_until, least(due, greatest(server_time(run_at),
    -- include: dispatched_at
    )))
  where worker is null and due > now() and run_at is not null
  returning due
),
turn as (
  update held_group set due = now() where due > now()
)
select count(*) from hurried where due <= now()
