-- Makes the users of make_places members of their groups. $1 how many groups, $2 members of each. Rows: one each.
-- Locks: the groups, the new rows.
insert into member (group_id, user_id, role, joined_at)
select 'g-' || (n - 1) / $2 + 1, 'u-' || n, case (n - 1) % $2 when 0 then 'admin' else 'member' end, domain_now()
from generate_series(1, $1 * $2) n
