-- Deletes memberships if the retention period has passed since they ended. $1: the maximum number of rows to read,
-- oldest first. $2: the time to search from, or null to start with the oldest row. Rows: one row with the number of
-- deleted rows, and the time of the newest row that was read (null if no row was read). Locks: the deleted rows, SKIP
-- LOCKED. Indexes: member_age, challenge_board, membership_pkey.
with cutoff as materialized (
  select least(domain_now() - in_seconds(group_age), domain_now() - in_seconds(board_age) - interval '168 hours') as at from setting
),
-- The LIMIT is in a separate subquery, because a query that also contained the conditions below would read all rows.
read_rows as materialized (
  select t.ctid as place, t.left_at as at
  from member t
  where t.left_at < (select at from cutoff)
    and t.left_at >= coalesce($2::timestamptz, '-infinity')
  order by t.left_at
  limit $1
),
old as materialized (
  select t.ctid as place, t.group_id, t.user_id
  from member t
  where t.ctid = any (array(select place from read_rows)) and t.left_at < (select at from cutoff)
    -- A membership stays while the group has a board that may show the user. delete_account uses a user's memberships
    -- to find these boards.
    and not exists (
      select from challenge c
      where c.group_id = t.group_id and c.week_start <= (t.left_at at time zone 'UTC')::date
      offset 0)
  for update of t skip locked
),
periods as (
  delete from membership
  where ctid = any (array(
    select i.place
    from old o
    cross join lateral (
      select p.ctid as place from membership p
      where p.group_id = o.group_id and p.user_id = o.user_id
      offset 0) i))
),
gone as (
  delete from member where ctid = any (array(select place from old))
)
select (select count(*) from old), max(r.at) from read_rows r
