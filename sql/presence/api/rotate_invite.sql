-- Replaces a group's invite code. $1: the actor's id. $2: the group's id. $3: the code to replace. $4: the lifetime of
-- the new code in seconds. Rows: one row. Locks: the group.
select code, group_id, expires_at
from rotate_invite($1, $2, $3, make_interval(secs => $4::double precision))
