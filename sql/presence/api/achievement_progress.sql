-- How far the actor has come. $1 actor. Rows: one an achievement, in the catalogue's order. Locks: none. Index:
-- user_stats_pkey.
select type, value, goal
from achievement_progress($1)
