-- Deletes the counters of failed attempts that began more than 7 days ago. A failed attempt counts for one hour. The
-- oldest rows are deleted first. $1: the maximum number of rows to delete. $2: the time to search from, or null to
-- start with the oldest row. Rows: one row with the number of deleted rows, and the time of the newest deleted row, or
-- null. Locks: the deleted rows, SKIP LOCKED. Index: invite_attempt_age.
with old as materialized (
  select t.ctid as place, t.began_at as at
  from invite_attempt t
  where t.began_at < (select domain_now() - interval '168 hours')
    and t.began_at >= coalesce($2::timestamptz, '-infinity')
  order by t.began_at
  limit $1
  for update of t skip locked
),
gone as (
  delete from invite_attempt where ctid = any (array(select place from old))
)
select count(*), max(old.at) from old
