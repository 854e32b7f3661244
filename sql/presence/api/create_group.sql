-- Makes a group. $1 actor, $2 id, $3 name, $4 shape as JSON, $5 zone, $6 public. Rows: one. Locks: the new rows.
select id, name, shape::text, is_public, time_zone, member_count, max_members, is_active, created_at, created_by
from create_group($1, $2, $3, $4::text::jsonb, $5, $6)
