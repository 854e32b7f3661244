-- Lists visible notifications of members, newest first. $1: a user's id or name, or null for all members. $2: true to
-- list only unread notifications. $3: the maximum number of notifications. Rows: a JSON object, the member's name, the
-- time, whether the notification is read, and the message. The JSON contains id, type, member, user, group, created_at,
-- changed_at, is_read, message and content. Locks: none. Indexes: notification_user, and the primary key of each
-- partition. For all members, the statement reads the newest rows of each day, because no index covers all days.
with found as materialized (
  select n.*
  from generate_series(0, 15) day (number)
  cross join lateral (
    select * from visible_notification v
    where $1::text is null and v.partition = day.number::smallint and not (v.is_read and $2)
    order by v.created_at desc, v.id desc
    limit $3
  ) n
  union all
  (select * from visible_notification v
  where v.user_id = any (array(select id from users where id = $1 or display_name = $1))
    and not (v.is_read and $2)
  order by v.created_at desc, v.id desc
  limit $3)
)
select jsonb_build_object('id', n.id, 'type', n.type, 'member', u.display_name, 'user', n.user_id,
  'group', g.name,
  'created_at', iso_text(n.created_at, '.US'),
  'changed_at', iso_text(n.changed_at, '.US'),
  'is_read', n.is_read, 'message', n.content ->> 'message', 'content', n.content - 'message')::text,
  u.display_name, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI'),
  n.is_read, coalesce(n.content ->> 'message', '')
from found n
join users u on u.id = n.user_id
join groups g on g.id = n.group_id
order by n.created_at desc, n.id desc
limit $3
