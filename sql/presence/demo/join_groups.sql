-- Adds users to groups as members, and makes the first user of each group an admin. $1: the ids of the users. $2: the
-- group of each user, in the same order. Rows: one row for each member. Locks: the groups, the new rows.
insert into member (group_id, user_id, role, joined_at)
select j.group_id, j.user_id,
  case row_number() over (partition by j.group_id order by j.number) when 1 then 'admin' else 'member' end,
  domain_now()
from unnest($1::text[], $2::text[]) with ordinality j (user_id, group_id, number)
