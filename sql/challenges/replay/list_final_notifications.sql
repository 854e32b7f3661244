-- Lists notifications about boards that were closed at a given time, and about the end of their weeks. The listed
-- notifications can no longer change. $1: the time on the development clock. Rows: the type, the group, the member, and
-- the week's Monday. The next columns are the board's type, the old and the new rank (each may be null), and the last
-- change. Locks: none. The statement reads all stored notifications. A replay executes the statement once for each
-- closed week.
select n.type::text, n.group_id, u.display_name,
  coalesce(n.week_start::text, n.content ->> 'week_start') as week_start,
  n.content ->> 'challenge', (n.content ->> 'from')::integer, (n.content ->> 'to')::integer,
  iso_text(n.changed_at, '.US')
from notification n
join users u on u.id = n.user_id
where n.challenge_id in (select id from challenge where closed_at = $1)
  or n.type = 'week_ended' and (n.group_id, n.week_start) in (
    select group_id, week_start from challenge where closed_at = $1)
order by n.group_id, week_start, n.type, n.content ->> 'challenge',
  u.id
