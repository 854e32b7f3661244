-- What the actor has achieved. $1 actor. Rows: oldest first. Locks: none. Index: unlock_pkey.
select type, unlocked_at, points, is_new
from earned_achievements($1)
