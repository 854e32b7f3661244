-- A group. $1 actor, $2 id. Rows: one. Locks: none. Index: groups_pkey, member_pkey.
select id, name, shape::text, is_public, time_zone, member_count, max_members, is_active, created_at, created_by
from get_group($1, $2)
