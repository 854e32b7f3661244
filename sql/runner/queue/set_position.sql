-- Sets the position of an event log from another cluster, because transaction ids from another cluster have no meaning
-- in this one. $1: a snapshot, or null for the current snapshot. If $1 is a snapshot that is older than all events, the
-- next dispatch reads all events. Callers pass null after they have truncated the log. $2: true to keep the previous
-- position, so that the next dispatch reads the events between both positions. Rows: 1 affected row. Locks: the
-- position. The caller must have locked event_cursor and the segments.
with forgotten as (
  delete from event_position where not $2
),
start as materialized (
  select coalesce($1::text::pg_snapshot, present.snapshot) as snapshot, present.set_by
  from (
    select pg_current_snapshot() as snapshot, pg_current_xact_id() as set_by from event_cursor) present
)
insert into event_position (snapshot, epoch, set_by)
select snapshot, system_identifier, set_by from start, pg_control_system()
