-- The board of the running week. $1 actor, $2 group, $3 type. Rows: one for each entry, by position; a board without
-- entries has one row whose last columns are null. The entries are read after the board, so their version is the valid
-- one. Locks: as current_week_challenges. Indexes: challenge_board, standing_pkey.
select b.id, b.week_start::text, b.is_active, b.created_at, b.taken_at,
  coalesce(l.rank_version, b.rank_version), l.user_id, l.display_name, l.photo_url, l.value, l.rank,
  l.last_updated
from current_board($1, $2, $3::challenge_type) b
left join lateral leaderboard($1, b.id) l on true
order by l.position
