-- Sets the position of the log. $1 a snapshot, or null for now. Rows: 1. It is for a log that came from another
-- cluster, whose transaction ids mean nothing here. If the position is set before all events, the next fold takes all
-- of them. After the log was truncated, it is set to now. Locks: the position; the caller holds the cursor and the
-- log's locks.
with forgotten as (
  delete from event_position
),
start as materialized (
  select coalesce($1::text::pg_snapshot, present.snapshot) as snapshot, present.set_by
  from (
    select pg_current_snapshot() as snapshot, pg_current_xact_id() as set_by from event_cursor) present
)
insert into event_position (snapshot, epoch, set_by)
select snapshot, system_identifier, set_by from start, pg_control_system()
