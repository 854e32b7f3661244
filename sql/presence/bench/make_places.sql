-- Creates groups at one place, with an equal number of users in each group. $1: the number of groups. $2: the number of
-- users per group. Groups are named `g-1`, `g-2` and so on. Users are named `u-1`, `u-2` and so on, in the order of
-- their groups. Rows: one row. Locks: the new rows.
with made as (
  insert into groups (id, name, latitude, longitude, radius, time_zone, max_members)
  select 'g-' || n, 'Group ' || n, 52.5, 13.4, 100, 'UTC', 1000 from generate_series(1, $1) n
  returning id
),
people as (
  insert into users (id, display_name, is_anonymous)
  select 'u-' || n, 'User ' || n, false from generate_series(1, $1 * $2) n
  returning id
)
select (select count(*) from made), (select count(*) from people)
