-- A group of the actor. $1 actor, $2 group. Rows: one. Locks: none. Indexes: member_pkey, groups_pkey.
select id, name, created_at, created_by, member_count, is_active
from get_group($1, $2)
