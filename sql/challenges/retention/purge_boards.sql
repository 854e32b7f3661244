-- Deletes expired closed and cancelled boards and all dependent rows, oldest week first. $1: the maximum number of
-- boards. $2 and $3: the week and the group to search from, or null to start with the oldest board. Rows: one row with
-- the number of deleted boards, and the week and the group of the last board that was read (null if no board was read).
-- Locks: the boards and their publish locks, SKIP LOCKED. A board whose publish lock is held stays, because
-- delete_account changes the board's rows. Counting entries and standings would take a sixth of the statement's time.
-- Indexes: challenge_final, entry_pkey, standing_pkey, board_version_pkey, silent_move_board.
with cutoff as materialized (
  select domain_now() - in_seconds(board_age) as at from setting
),
read_boards as materialized (
  select c.id, c.ctid as place, c.week_start, c.group_id
  from challenge c
  -- The scalar subquery for the date limits the index scan. With a join, the statement would read every closed or
  -- cancelled board.
  where c.state <> 'open' and c.week_start < (select (at at time zone 'UTC')::date - 6 from cutoff)
    and c.ends_at < (select at from cutoff)
    and (c.week_start, c.group_id) >= (coalesce($2::date, '-infinity'), coalesce($3::text, ''))
  order by c.week_start, c.group_id
  limit $1
  for update of c skip locked
),
locked as materialized (
  select v.challenge_id
  from board_version v
  where v.challenge_id = any (array(select id from read_boards))
  order by v.challenge_id
  for update skip locked
),
skipped as materialized (
  select v.challenge_id from board_version v where v.challenge_id = any (array(select id from read_boards))
  except
  select challenge_id from locked
),
lists as materialized (
  select array_agg(id) as ids, array_agg(place) as places
  from read_boards
  where id <> all (array(select challenge_id from skipped))
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
-- tell_ranks deletes the silent moves that it processes, so this query deletes the remaining silent moves.
moves as (
  delete from silent_move where challenge_id = any ((select ids from lists)::uuid[])
),
boards as (
  delete from challenge where ctid = any ((select places from lists)::tid[]) returning 1
)
select (select count(*) from boards), l.week_start::text, l.group_id::text
from (select) one
left join (select week_start, group_id from read_boards order by week_start desc, group_id desc limit 1) l on true
