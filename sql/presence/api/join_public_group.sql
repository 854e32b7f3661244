-- Joins a public group. $1 actor, $2 group. Rows: one. Locks: the group.
select id, name, shape::text, is_public, time_zone, member_count, max_members, is_active, created_at, created_by
from join_public_group($1, $2)
