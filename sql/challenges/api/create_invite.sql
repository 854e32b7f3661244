-- Makes an invite. $1 actor, $2 group, $3 token. Rows: one. Locks: docs/groups.md.
select id, token, expires_at
from create_invite($1, $2, $3)
