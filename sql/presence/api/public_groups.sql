-- A page of public groups. $1 actor, $2 and $3 name and id of the last one before it, or null, $4 how many.
-- Rows: by name. Locks: none. Index: group_public.
select id, name, shape::text, is_public, time_zone, member_count, max_members, is_active, created_at, created_by
from public_groups($1, $2, $3, $4)
