-- Deletes reports that are older than setting.report_age, open and closed, oldest first. $1: the maximum number of rows
-- to delete. $2: the time to search from, or null to start with the oldest row. Rows: one row with the number of
-- deleted rows, and the time of the newest deleted row, or null. Locks: the deleted rows, SKIP LOCKED. Index:
-- user_report_age.
with old as materialized (
  select t.ctid as place, t.created_at as at
  from user_report t
  where t.created_at < (select domain_now() - in_seconds(report_age) from setting)
    and t.created_at >= coalesce($2::timestamptz, '-infinity')
  order by t.created_at
  limit $1
  for update of t skip locked
),
gone as (
  delete from user_report where ctid = any (array(select place from old))
)
select count(*), max(old.at) from old
