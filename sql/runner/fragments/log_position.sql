-- Reads the last position of the event log (CTE `old`), and the snapshot, the cluster and the time of the next position
-- (CTE `moment`). If the transaction does not hold the lock on event_cursor, both CTEs are empty, and the statement
-- changes nothing. Rows: none, because the fragment is only part of a statement. Locks: none.
old as materialized (
  select * from event_position
  where current_setting('baton.has_cursor', true) = 'yes'
  order by id desc limit 1
),
moment as materialized (
  select pg_current_snapshot() as snapshot, system_identifier as epoch,
    -- The stored time is never before the previous dispatch, unless the server's clock was set back.
    case when old.dispatched_at > statement_timestamp() then statement_timestamp()
      else greatest(old.dispatched_at, now()) end as dispatched_at
  -- The join with event_cursor makes a distributed database read the position and the events with one snapshot.
  from old, event_cursor, pg_control_system()
),
