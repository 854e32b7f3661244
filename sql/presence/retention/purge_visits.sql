-- Deletes visits if the retention period has passed since they ended. The deletion does not change the users'
-- statistics. The oldest rows are deleted first. $1: the maximum number of rows. $2: the time to search from, or null
-- to start with the oldest row. Rows: one row with the number of deleted rows, and the time of the newest deleted row
-- (null if no row was deleted). Locks: the deleted rows, SKIP LOCKED. Index: visit_age.
with old as materialized (
  select t.id as place, t.departure as at
  from visit t
  where t.departure < (select domain_now() - in_seconds(visit_age) from setting)
    and t.departure >= coalesce($2::timestamptz, '-infinity')
  order by t.departure
  limit $1
  for update of t skip locked
),
gone as (
  delete from visit where id = any (array(select place from old))
)
select count(*), max(old.at) from old
