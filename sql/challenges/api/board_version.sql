-- Which board runs now, and its version. $1 actor, $2 group, $3 type. Rows: one. Locks: as
-- current_week_challenges. Indexes: challenge_board, board_version_pkey.
select id, rank_version
from current_board($1, $2, $3::challenge_type)
