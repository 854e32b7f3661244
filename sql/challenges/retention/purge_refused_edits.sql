-- Deletes refused edits if the retention period has passed since they were refused. The oldest rows are deleted first.
-- $1: the maximum number of rows. $2: the time to search from, or null to start with the oldest row. Rows: one row with
-- the number of deleted rows, and the time of the newest deleted row (null if no row was deleted). Locks: the deleted
-- rows, SKIP LOCKED. Index: refused_edit_age.
with old as materialized (
  select t.ctid as place, t.refused_at as at
  from refused_edit t
  where t.refused_at < (select least(domain_now() - in_seconds(revision_age), domain_now() - in_seconds(board_age) - interval '168 hours') from setting)
    and t.refused_at >= coalesce($2::timestamptz, '-infinity')
  order by t.refused_at
  limit $1
  for update of t skip locked
),
gone as (
  delete from refused_edit where ctid = any (array(select place from old))
)
select count(*), max(old.at) from old
