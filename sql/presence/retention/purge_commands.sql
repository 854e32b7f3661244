-- Deletes commands whose response is older than the retention period. The oldest rows are deleted first. $1: the
-- maximum number of rows. $2: the time to search from, or null to start with the oldest row. Rows: one row with the
-- number of deleted rows, and the time of the newest deleted row (null if no row was deleted). Locks: the deleted rows,
-- SKIP LOCKED. Index: presence_command_age.
with old as materialized (
  select t.ctid as place, t.answered_at as at
  from presence_command t
  where t.answered_at < (select domain_now() - in_seconds(command_age) from setting)
    and t.answered_at >= coalesce($2::timestamptz, '-infinity')
  order by t.answered_at
  limit $1
  for update of t skip locked
),
gone as (
  delete from presence_command where ctid = any (array(select place from old))
)
select count(*), max(old.at) from old
