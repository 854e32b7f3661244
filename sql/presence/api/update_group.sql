-- Changes a group. $1 actor, $2 id, $3 name, $4 shape as JSON, $5 zone, $6 public, $7 most members. Rows: one.
-- Locks: the group.
select id, name, shape::text, is_public, time_zone, member_count, max_members, is_active, created_at, created_by
from update_group($1, $2, $3, $4::text::jsonb, $5, $6, $7)
