-- Deletes sent events if the retention period of dead runs has passed since they were dispatched. A dead run that is
-- retried within the retention period finds all events since it was enqueued. $1: the maximum number of events. $2: the
-- number at which the search begins, or null to begin with the first event. Rows: one row with the number of deleted
-- events, and the number of the last event that was deleted or is dated in the future (null if there is none). Locks:
-- the deleted rows. Index: sent_event_pkey. Older events have lower numbers, so the statement reads only the $1 events
-- with the lowest numbers. Events are dated in the future if the server's clock was fast. The purge skips these events.
with piece as materialized (
  select number, dispatched_at from sent_event
  where number >= coalesce($2::bigint, 0)
  order by number
  limit $1
),
old as materialized (
  select number from piece where dispatched_at < cutoff_of((select dead_run_age from runner_setting))
),
gone as (
  delete from sent_event where number = any (array(select number from old))
)
select (select count(*) from old),
  greatest((select max(number) from old), (select max(number) from piece where dispatched_at > pg_catalog.now()))
