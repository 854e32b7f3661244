-- Locks boards whose grace period has ended, so that the caller can close the boards. Each call locks one chunk of
-- groups, oldest week first. $1: the maximum number of groups. $2 and $3: the week and the group at the end of the
-- previous chunk. $4: the Monday of a single week in days since 1970-01-01, or null. $5: true if all due boards before
-- the end of the previous chunk are closed. Rows: one row with the locked boards (one per line), and the number of
-- their groups. The next columns are the number of checked groups, and the week and the group at the end of the checked
-- chunk. Locks: the boards FOR UPDATE, SKIP LOCKED. If a writer has locked a board, all boards of the group are
-- skipped, so the close never waits for a writer. Indexes: challenge_open, challenge_board.
with moment as materialized (
  select at, last_week from due_week
),
first as materialized (
  select week_start from challenge
  where state = 'open' and (week_start, group_id) > ($2::text::date, $3)
  order by week_start, group_id
  limit 1
),
due as materialized (
  select c.group_id, c.week_start, count(*) as boards
  from challenge c, moment m
  -- The scalar subquery limits the index scan. With a join, every board of the current week would be read.
  where c.state = 'open' and c.week_start <= (select last_week from moment)
    and (c.week_start, c.group_id) > ($2::text::date, $3)
    and ($4::bigint is null or c.week_start = date '1970-01-01' + $4::bigint::integer)
    -- A reopening lasts at most 7 days. An end more than 7 days in the future is ignored, because it was recorded while
    -- the clock was wrong.
    and (c.reopened_until is null or c.reopened_until <= m.at
      or c.reopened_until > m.at + interval '7 days 1 minute')
    -- The weeks of a group are closed in order, because each week is compared with the previous week. If $5 is true,
    -- all due boards of earlier weeks are closed, so groups in the first week of the chunk need no comparison.
    and case when $5 and c.week_start = (select week_start from first) then true
      else not exists (
        select from challenge e
        where e.group_id = c.group_id and e.week_start < c.week_start and e.state = 'open'
          and (e.reopened_until is null or e.reopened_until <= m.at
            or e.reopened_until > m.at + interval '7 days 1 minute')) end
  group by c.week_start, c.group_id
  order by c.week_start, c.group_id
  limit $1
),
locked as materialized (
  select c.id, c.group_id, c.week_start, d.boards as all_boards
  from due d
  join challenge c on c.group_id = d.group_id and c.week_start = d.week_start
  where c.state = 'open'
  order by c.week_start, c.group_id, c.type
  for update of c skip locked
),
whole as materialized (
  select l.group_id, l.week_start, array_agg(l.id) as boards
  from locked l
  group by 1, 2
  having count(*) = min(l.all_boards)
),
last as (
  select week_start, group_id from due order by week_start desc, group_id desc limit 1
)
select array_to_string(array(select unnest(boards) from whole order by 1), e'\n'), (select count(*) from whole),
  (select count(*) from due), (select week_start::text from last),
  (select group_id::text from last)
