-- Appends the next position of the event log, if the log is completely dispatched except for at most $1 new events. The
-- `fold` statement reads the events between the last two positions. If the log has a backlog or large transactions, the
-- statement changes nothing, and the caller uses advance_backlog. Most dispatches contain few events. PostgreSQL
-- initializes the whole plan of a statement, which takes 0.7 ms for advance_backlog and 0.1 ms for this statement. $2:
-- true to store the time even if there are no new events. Rows: one row with a boolean that is true if the caller must
-- use advance_backlog. Locks: the new row. If the caller has not called lock_cursor, nothing changes. Index:
-- event_N_xact.
with
-- include: log_position
-- A search for a transaction that is still open would read all its events, but would return none of them.
fresh as materialized (
  select count(*) as events
  from (
    (select from event where xact >= (select pg_snapshot_xmax(snapshot) from old) limit $1 + 1)
    union all
    (select from event where xact = any (array(
      select o.xact from (select pg_snapshot_xip(snapshot) as xact from old) o
      where pg_visible_in_snapshot(o.xact, (select snapshot from moment)))) limit $1 + 1)) f
),
is_whole as materialized (
  select old.base is null and old.partial is null and old.deferred is null and f.events <= $1 as answer
  from old, fresh f
),
appended as (
  insert into event_position (dispatched_at, snapshot, epoch)
  select m.dispatched_at, m.snapshot, m.epoch
  from moment m, fresh f
  where (select answer from is_whole) and (f.events > 0 or $2)
)
select coalesce(not (select answer from is_whole), false)
