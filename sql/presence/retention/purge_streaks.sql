-- Deletes streaks if the retention period has passed since they ended. The retention period is at least 7 days, so no
-- later visit can extend a deleted streak. The oldest rows are deleted first. $1: the maximum number of rows. $2: the
-- time to search from, or null to start with the oldest row. Rows: one row with the number of deleted rows, and the
-- time of the newest deleted row (null if no row was deleted). Locks: the deleted rows, SKIP LOCKED. Index:
-- visit_streak_age.
with old as materialized (
  select t.ctid as place, t.ends as at
  from visit_streak t
  where t.ends < (select ((domain_now() - in_seconds(visit_age)) at time zone 'UTC')::date from setting)
    and t.ends >= coalesce(($2::timestamptz at time zone 'UTC')::date, '-infinity')
  order by t.ends
  limit $1
  for update of t skip locked
),
gone as (
  delete from visit_streak where ctid = any (array(select place from old))
)
select count(*), max(old.at)::timestamp at time zone 'UTC' from old
