-- Makes a group. $1 actor, $2 group, $3 name. Rows: one. Locks: docs/groups.md.
select id, name, created_at, created_by, member_count, is_active
from create_group($1, $2, $3)
