-- In every nth group, creates members without workouts who observe boards. The members are named viewer-GROUP-NUMBER.
-- $1: the number of members per group. $2: the number n. Rows: one row for each created user. Locks: the new rows.
with made as (
  insert into users (id, display_name)
  select 'viewer-' || g || '-' || v, 'Viewer ' || v
  from groups, lateral (select substr(id, 7)::bigint as g) n, generate_series(1, $1::bigint) v
  where g % $2::bigint = 0
  returning id
),
joined as (
  insert into member (group_id, user_id, joined_at)
  select 'group-' || split_part(id, '-', 2), id, now() - interval '1 year' from made
)
select id from made
