-- Returns, for each group, a string that changes whenever a board of the last ended week or of a later week changes.
-- $1: the ids of the groups. Rows: the group's id, and the string that identifies the state of the group's boards.
-- Locks: none. Each group is read separately, because the planner may read whole tables for a join. Indexes:
-- challenge_board, board_version_pkey.
select w.group_id, b.mark
from unnest($1::text[]) w (group_id), due_week d, lateral (
  select concat_ws('/', count(*), count(*) filter (where c.state = 'open'),
    sum((select v.rank_version from board_version v where v.challenge_id = c.id))) as mark
  from challenge c
  where c.group_id = w.group_id and c.week_start >= d.last_week
) b
