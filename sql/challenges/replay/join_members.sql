-- Adds the members from a replayed file, and creates missing groups and users. Each array has one element for each
-- member. $1: the ids of the groups. $2: the user ids. $3: the names. $4: the join times. The maximum size of each
-- group is set to the number of members in the file. Rows: the number of added members. Locks: the new rows.
with joining as (
  select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[])
    as j (group_id, user_id, name, joined_at)
),
made_groups as (
  insert into groups as g (id, name, max_members, member_count)
  select group_id, group_id, greatest(10, count(*)), count(*) from joining group by group_id
  on conflict (id) do update
  set max_members = greatest(g.max_members, g.member_count + excluded.member_count),
    member_count = g.member_count + excluded.member_count
),
made_users as (
  insert into users (id, display_name) select user_id, name from joining
)
insert into member (group_id, user_id, joined_at) select group_id, user_id, joined_at from joining
