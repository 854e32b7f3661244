-- Opens a cursor over the standings on boards, so that fetch_boards can read the standings in pages from one snapshot.
-- $1: the id or the name of a group, or null for all groups. $2: any day of a week, or null for all weeks. $3: the
-- board's type, or null for both types. Rows: none. The cursor has the columns of list_boards. Locks: none. Indexes:
-- challenge_board, standing_pkey.
declare published_board scroll cursor for
select c.group_id, c.week_start::text, c.type::text, s.display_name, s.value, s.rank, s.position,
  before.rank, s.user_id
-- include: published_boards
