-- Sets the position of the log. $1 a snapshot, or null for now. Rows: 1.
-- Used where the log came from another cluster, whose transaction ids say nothing here: set before
-- everything, the next fold takes all; set to now, after the log was truncated.
-- Locks: the position; the caller holds the cursor and the log's locks.
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
