-- Reads a board of the current week. $1: the actor's id. $2: the group's id. $3: the board's type. Rows: one row for
-- each entry, ordered by position. For a board without entries, the statement returns one row in which all entry
-- columns are null. The version always matches the entries, because one statement reads both. Locks: the group, and the
-- boards that the statement creates. Indexes: challenge_board, standing_pkey.
select b.id, b.week_start::text, b.is_active, b.created_at, b.taken_at,
  coalesce(l.rank_version, b.rank_version), l.user_id, l.display_name, l.photo_url, l.value, l.rank,
  l.last_updated
from current_board($1, $2, $3::challenge_type) b
left join lateral leaderboard($1, b.id) l on true
order by l.position
