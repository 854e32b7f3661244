-- Groups whose boards are over, grace included, and not closed: the oldest week first, 50 at most. Parameters: none.
-- Rows: Monday, group's id and name, boards, until when a reopening keeps them open (null: no reopening). Locks: none.
-- Index: challenge_open, groups_pkey. The rows are read in the order of the index, and limited before the names are
-- looked up: in the night of a close, boards of every group are waiting.
with due as materialized (
  select c.week_start, c.group_id, count(*) as boards, max(c.reopened_until) as reopened_until
  from challenge c
  where c.state = 'open' and c.week_start <= (select last_week from due_week)
  group by c.week_start, c.group_id
  order by c.week_start, c.group_id
  limit 50
)
select d.week_start::text, g.id::text, redacted(g.name), d.boards, iso_text(d.reopened_until)
from due d
join groups g on g.id = d.group_id
order by d.week_start, g.id
