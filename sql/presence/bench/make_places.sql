-- Makes groups at one place, each with the same number of members of its own. $1 how many groups, $2 members of each.
-- Rows: one. Locks: the new rows. Groups are `g-1` and so on, users `u-1` and so on; the users of a group come after
-- those of the previous group.
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
