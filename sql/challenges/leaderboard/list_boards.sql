-- Lists the standings of boards, ordered by position. $1: the id or the name of a group, or null for all groups. $2:
-- any day of a week, or null for all weeks. $3: the board's type, or null for both types. Rows: group, week, type,
-- member, value, rank, position, rank in the previous week (or null), user id. Locks: none. Indexes: challenge_board,
-- standing_pkey.
select c.group_id, c.week_start::text, c.type::text, s.display_name, s.value, s.rank, s.position,
  before.rank, s.user_id
-- include: published_boards
