-- Deletes expired rows of usage_log. The oldest rows are deleted first. $1: the maximum number of rows. $2: the time to
-- search from, or null to start with the oldest row. Rows: one row with the number of deleted rows, and the time of the
-- newest deleted row (null if no row was deleted). Locks: the deleted rows, SKIP LOCKED. Index: usage_log_time.
with old as materialized (
  select t.ctid as place, t.recorded_at as at
  from usage_log t
  where t.recorded_at < (select domain_now() - in_seconds(analytics_age) from setting)
    and t.recorded_at >= coalesce($2::timestamptz, '-infinity')
  order by t.recorded_at
  limit $1
  for update of t skip locked
),
gone as (
  delete from usage_log where ctid = any (array(select place from old))
)
select count(*), max(old.at) from old
