-- Deletes workouts that are older than the retention period for workouts, and their days. If no retention period is
-- set, nothing is deleted. $1: the maximum number of rows to read, oldest first. $2: the time to search from, or null
-- to start with the oldest row. Rows: one row with the number of deleted workouts, and the time of the newest row that
-- was read (null if no row was read). Locks: the deleted rows, SKIP LOCKED. Workouts are stored 100 days longer than
-- boards, because a board may depend on workouts from the previous twelve weeks. Indexes: workout_age, challenge_board,
-- workout_day_pkey.
with cutoff as materialized (
  -- `greatest` ignores null, so without the condition on `workout_age`, only `board_age` would determine the cutoff.
  select domain_now() - greatest(in_seconds(workout_age), in_seconds(board_age) + interval '2400 hours') as at
  from setting
  where workout_age is not null
),
-- The LIMIT is in a separate subquery, because a query that also contained the conditions below would read all rows.
read_rows as materialized (
  select t.ctid as place, t.received_at as at
  from workout t
  where t.received_at < (select at from cutoff)
    and t.received_at >= coalesce($2::timestamptz, '-infinity')
  order by t.received_at
  limit $1
),
old as materialized (
  select t.ctid as place, t.user_id, t.group_id, t.local_date, t.week_start
  from workout t
  where t.ctid = any (array(select place from read_rows)) and t.received_at < (select at from cutoff)
    -- The workout_deleted trigger rejects the deletion of workouts that a board counts.
    and not exists (
      select from challenge c
      where c.group_id = t.group_id and c.week_start = t.week_start
      offset 0)
  for update of t skip locked
),
days as (
  delete from workout_day
  where ctid = any (array(
    select i.place
    from old o
    cross join lateral (
      select d.ctid as place from workout_day d
      where d.user_id = o.user_id and d.group_id = o.group_id and d.local_date = o.local_date
        and d.week_start = o.week_start
      offset 0) i))
),
gone as (
  delete from workout where ctid = any (array(select place from old))
)
select (select count(*) from old), max(r.at) from read_rows r
