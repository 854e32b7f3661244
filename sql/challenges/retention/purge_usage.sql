-- Deletes expired rows of usage_log and client_event. $1 is the maximum number of rows per table. Rows: one: the
-- number of deleted rows in each of the two tables. Locks: the deleted rows, SKIP LOCKED. Indexes: usage_log_time,
-- client_event_age.
with cutoff as materialized (
  select domain_now() - in_seconds(analytics_age) as at from setting
),
used as (
  delete from usage_log
  where id = any (array(
    select l.id from usage_log l
    where l.recorded_at < (select at from cutoff)
    order by l.recorded_at
    limit $1
    for update skip locked))
  returning 1
),
reported as (
  delete from client_event
  where number = any (array(
    select e.number from client_event e
    where e.recorded_at < (select at from cutoff)
    order by e.recorded_at
    limit $1
    for update skip locked))
  returning 1
)
select (select count(*) from used), (select count(*) from reported)
