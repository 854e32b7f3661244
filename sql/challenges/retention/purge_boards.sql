-- Removes final boards of weeks that ended long ago, oldest first, with all that hangs on them.
-- $1 how many boards. Rows: one: boards. Locks: the boards, SKIP LOCKED.
-- Indexes: challenge_final, entry_pkey, standing_pkey, board_version_pkey, silent_move_board.
-- Entries and standings are not counted: returning ten times as many rows as there are boards takes a
-- sixth of the statement.
with cutoff as materialized (
  select domain_now() - in_seconds(board_age) as at from setting
),
old as materialized (
  select c.id, c.ctid as place
  from challenge c
  -- As values, so that the index ends there: joined, each final board would be read.
  where c.state <> 'open' and c.week_start < (select (at at time zone 'UTC')::date - 6 from cutoff)
    and c.ends_at < (select at from cutoff)
  order by c.week_start, c.group_id
  limit $1
  for update of c skip locked
),
lists as materialized (
  select array(select id from old) as ids, array(select place from old) as places
),
entries as (
  delete from entry where challenge_id = any ((select ids from lists)::uuid[])
),
standings as (
  delete from standing where challenge_id = any ((select ids from lists)::uuid[])
),
published as (
  delete from board_version where challenge_id = any ((select ids from lists)::uuid[])
),
-- What nobody asked for any more; else what the others are told takes them.
moves as (
  delete from silent_move where challenge_id = any ((select ids from lists)::uuid[])
),
boards as (
  delete from challenge where ctid = any ((select places from lists)::tid[]) returning 1
)
select count(*) from boards
