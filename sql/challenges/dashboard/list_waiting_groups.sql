-- Lists up to 50 groups with open boards whose grace period has ended, oldest week first. Rows: the week's Monday, the
-- group's id and name, the number of open boards, and the end of a reopening (or null). Locks: none. Indexes:
-- challenge_open, groups_pkey. The statement reads the names of the groups after it has limited the number of rows.
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
