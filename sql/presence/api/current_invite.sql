-- The code of a group. $1 actor, $2 group. Rows: one. Locks: the group.
select code, group_id, expires_at
from current_invite($1, $2)
