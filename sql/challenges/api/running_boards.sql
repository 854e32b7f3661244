-- Boards of the running week. $1 groups, $2 types. Rows: one an entry, in order of the list and by position; without
-- entries one whose last columns are null; none where the board is not made. Locks: none. Indexes: challenge_board,
-- board_version_pkey, standing_pkey.
select number, board, week_start::text, is_active, created_at, taken_at, rank_version, members_mark, user_id,
  display_name, photo_url, value, rank, last_updated
from running_boards($1, $2)
