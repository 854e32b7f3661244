-- Creates members, and distributes them among the benchmark's groups. $1: the number of members. $2: the number of
-- groups. Rows: one row. Locks: the new rows, the row in the `setting` table. The statement raises the limit on
-- workouts per user and date for the benchmark.
with limited as (
  update setting set workouts_a_day = 10000
),
made as (
  insert into users (id, display_name)
  select 'user-' || u, 'Member ' || u from generate_series(1, $1::bigint) u
  returning id
),
placed as (
  select id, 'group-' || 1 + row_number() over () % $2::bigint as group_id from made
),
joined as (
  insert into member (group_id, user_id, joined_at)
  select group_id, id, now() - interval '1 year' from placed
)
select count(*) from placed
