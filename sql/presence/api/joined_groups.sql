-- The groups of the actor. $1 actor. Rows: by name. Locks: none. Index: member_user.
select id, name, shape::text, is_public, time_zone, member_count, max_members, is_active, created_at, created_by
from joined_groups($1)
