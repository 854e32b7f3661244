-- Notifications that cannot change any more: those about boards that closed, and those about the end of their weeks. $1
-- when they closed, by the development clock. Rows: type, group, member, Monday, board's type or null, from and to
-- ranks or null, when the notification was last changed. Locks: none. It reads all stored notifications, once for each
-- close.
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
