-- Makes members of the bench's groups, distributed over the groups in turn. $1 how many, $2 groups. Rows: users.
-- Locks: the new rows.
with made as (
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
