-- Joins by an invite. $1 actor, $2 token. Rows: one: a refusal, or the group. Locks: docs/groups.md.
select refusal, group_id
from join_group($1, $2)
