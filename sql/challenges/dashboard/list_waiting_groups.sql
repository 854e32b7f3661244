-- Groups whose boards are over, grace included, and not closed: the oldest week first, 50 at most. Parameters: none.
-- Rows: Monday, group's id and name, boards, until when a reopening keeps them (null: nothing does).
-- Locks: none. Index: challenge_open, groups_pkey.
select c.week_start::text, g.id::text, redacted(g.name), count(*), iso_text(max(c.reopened_until))
from due_week d
join challenge c on c.state = 'open' and c.week_start <= d.last_week
join groups g on g.id = c.group_id
group by c.week_start, g.id, g.name
order by c.week_start, g.id
limit 50
