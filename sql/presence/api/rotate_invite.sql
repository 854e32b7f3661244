-- Replaces the code of a group. $1 actor, $2 group, $3 the code that it replaces, $4 seconds that it lives. Rows: one.
-- Locks: the group.
select code, group_id, expires_at
from rotate_invite($1, $2, $3, make_interval(secs => $4::double precision))
