-- Adds the users created by make_places to their groups as members. $1: the number of groups. $2: the number of members
-- per group. Rows: one row for each member. Locks: the groups, the new rows.
insert into member (group_id, user_id, role, joined_at)
select 'g-' || (n - 1) / $2 + 1, 'u-' || n, case (n - 1) % $2 when 0 then 'admin' else 'member' end, domain_now()
from generate_series(1, $1 * $2) n
