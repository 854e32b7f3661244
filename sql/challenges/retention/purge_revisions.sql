-- Deletes workout revisions that are older than the retention period. The oldest rows are deleted first. $1: the
-- maximum number of rows. $2: the time to search from, or null to start with the oldest row. Rows: one row with the
-- number of deleted rows, and the time of the newest deleted row (null if no row was deleted). Locks: the deleted rows,
-- SKIP LOCKED. Revisions are stored one week longer than boards, because boards are derived from revisions. Index:
-- workout_revision_age.
with old as materialized (
  select t.ctid as place, t.superseded_at as at
  from workout_revision t
  where t.superseded_at < (select least(domain_now() - in_seconds(revision_age), domain_now() - in_seconds(board_age) - interval '168 hours') from setting)
    and t.superseded_at >= coalesce($2::timestamptz, '-infinity')
  order by t.superseded_at
  limit $1
  for update of t skip locked
),
gone as (
  delete from workout_revision where ctid = any (array(select place from old))
)
select count(*), max(old.at) from old
