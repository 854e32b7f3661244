-- Deletes sent events if the retention period of dead runs has passed since they were dispatched. A dead run that is
-- retried within the retention period finds all events since it was enqueued. $1: the maximum number of events. $2: the
-- number at which the search begins, or null to begin with the first event. Rows: one row with the number of deleted
-- events, and the number of the last deleted event (null if none was deleted). Locks: the deleted rows. Index:
-- sent_event_pkey. Older events have lower numbers, so the statement reads only the $1 events with the lowest numbers.
with old as materialized (
  select e.number
  from (
    select number, dispatched_at from sent_event
    where number >= coalesce($2::bigint, 0)
    order by number
    limit $1) e
  where e.dispatched_at < cutoff_of((select dead_run_age from runner_setting))
),
gone as (
  delete from sent_event where number = any (array(select number from old))
)
select count(*), max(number) from old
