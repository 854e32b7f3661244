-- Lists groups that have an entry from the last 4 weeks, but no board for the next week. $1: the last group of the
-- previous step. $2: the maximum number of groups. Rows: the group, the week's Monday. Locks: none. Index:
-- challenge_board.
select g.id::text, n.week::text
from groups g,
  (select (domain_now() at time zone 'UTC')::date
    - extract(isodow from domain_now() at time zone 'UTC')::integer + 8 as week) n
where g.id > $1 and g.is_active
  and exists (
    select from challenge c
    where c.group_id = g.id and c.week_start between n.week - 28 and n.week - 7
      and exists (select from entry e where e.challenge_id = c.id))
  and (select count(*) from challenge c where c.group_id = g.id and c.week_start = n.week) < 2
order by g.id
limit $2
