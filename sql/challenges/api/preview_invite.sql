-- What an invite shows of its group. $1 actor, $2 token. Rows: one: a refusal, or the rest.
-- Locks: the actor's row of invite_attempt.
select refusal, name, member_count, is_full
from preview_invite($1, $2)
