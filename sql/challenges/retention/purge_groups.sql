-- Deletes groups if the retention period has passed since they ended and no row references them. $1: the maximum number
-- of rows to read, oldest first. $2: the time to search from, or null to start with the oldest row. Rows: one row with
-- the number of deleted rows, and the time of the newest row that was read (null if no row was read). Locks: the
-- deleted rows, SKIP LOCKED. Indexes: group_age, member_pkey, challenge_board, invite_group, reported_streak_group.
with cutoff as materialized (
  select domain_now() - in_seconds(group_age) as at from setting
),
-- The LIMIT is in a separate subquery, because a query that also contained the conditions below would read all rows.
read_rows as materialized (
  select t.ctid as place, t.ended_at as at
  from groups t
  where t.ended_at < (select at from cutoff)
    and t.ended_at >= coalesce($2::timestamptz, '-infinity')
  order by t.ended_at
  limit $1
),
old as materialized (
  select t.ctid as place
  from groups t
  where t.ctid = any (array(select place from read_rows)) and t.ended_at < (select at from cutoff)
    and not exists (select from member m where m.group_id = t.id offset 0)
    and not exists (select from challenge c where c.group_id = t.id offset 0)
    and not exists (select from invite i where i.group_id = t.id offset 0)
    and not exists (select from reported_streak r where r.group_id = t.id offset 0)
  for update of t skip locked
),
gone as (
  delete from groups where ctid = any (array(select place from old))
)
select (select count(*) from old), max(r.at) from read_rows r
