-- Joins by a code. $1 actor, $2 code. Rows: one: a refusal, or the group. Locks: docs/whosthere.md.
select refusal, group_id
from redeem_invite($1, $2)
