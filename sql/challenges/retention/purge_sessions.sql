-- Deletes sessions that expired more than 7 days ago. The oldest rows are deleted first. $1: the maximum number of
-- rows. $2: the time to search from, or null to start with the oldest row. Rows: one row with the number of deleted
-- rows, and the time of the newest deleted row (null if no row was deleted). Locks: the deleted rows, SKIP LOCKED.
-- Index: session_end.
with old as materialized (
  select t.ctid as place, t.expires_at as at
  from session t
  where t.expires_at < (select domain_now() - interval '168 hours')
    and t.expires_at >= coalesce($2::timestamptz, '-infinity')
  order by t.expires_at
  limit $1
  for update of t skip locked
),
gone as (
  delete from session where ctid = any (array(select place from old))
)
select count(*), max(old.at) from old
