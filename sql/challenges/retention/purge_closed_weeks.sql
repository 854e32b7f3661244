-- Deletes the records of closed weeks whose boards have been deleted. After a week's boards have been deleted, no
-- notifications about the week are sent. $1: the maximum number of rows to read, oldest first. $2: the time to search
-- from, or null to start with the oldest row. Rows: one row with the number of deleted rows, and the time of the newest
-- row that was read (null if no row was read). Locks: the deleted rows, SKIP LOCKED. Indexes: closed_week_pkey,
-- challenge_board.
with cutoff as materialized (
  select ((domain_now() - in_seconds(board_age)) at time zone 'UTC')::date - 7 as at from setting
),
-- The LIMIT is in a separate subquery, because a query that also contained the conditions below would read all rows.
read_rows as materialized (
  select t.ctid as place, t.week_start as at
  from closed_week t
  where t.week_start < (select at from cutoff)
    and t.week_start >= coalesce(($2::timestamptz at time zone 'UTC')::date, '-infinity')
  order by t.week_start
  limit $1
),
old as materialized (
  select t.ctid as place
  from closed_week t
  where t.ctid = any (array(select place from read_rows)) and t.week_start < (select at from cutoff)
    -- Visible notifications read their content from the week's record.
    and (not t.is_told or t.closed_at <= domain_now() - notification_lifetime())
    and not exists (
      select from challenge c where c.group_id = t.group_id and c.week_start = t.week_start offset 0)
  for update of t skip locked
),
gone as (
  delete from closed_week where ctid = any (array(select place from old))
)
select (select count(*) from old), max(r.at)::timestamp at time zone 'UTC' from read_rows r
