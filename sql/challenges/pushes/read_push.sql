-- Reads the push notification for a device. $1: the device's id. $2: the id of a board, or of a notification. Rows: one
-- row with the device, the newest unread notification of the device's user, and the decision whether to send the push
-- notification. The decision is `send`, `wait` (until the quiet hours end), or `drop` (the notification is too old).
-- The next column is the number of seconds until the push expires or, for the decision `wait`, until the quiet hours
-- end. The last column is the time when the device was registered. No row is returned if the device now belongs to
-- another user, or if the notification was read, withdrawn or muted. Notifications for a group that the user has left
-- are also excluded, except for the end of a week. Locks: none. Indexes: push_device_pkey, notification_user,
-- member_pkey.
with device as materialized (
  select d.id, d.user_id, d.platform, d.environment, d.token, d.secret, d.locale, d.registered_at,
    coalesce(u.time_zone, 'UTC') as zone, p.muted, p.quiet_from, p.quiet_until
  from push_device d
  join users u on u.id = d.user_id
  left join push_setting p on p.user_id = d.user_id
  where d.id = $1
),
newest as materialized (
  select n.group_id, n.type::text as kind, n.id, n.challenge_id, n.content, d.user_id,
    case n.type when 'rank_change' then n.changed_at else n.created_at end as at
  from device d
  join visible_notification n on n.user_id = d.user_id
  where not n.is_read and $2 in (n.challenge_id::text, n.id::text)
    and not coalesce(n.type::text = any (d.muted), false)
    and (n.type = 'week_ended' or exists (
      select from member m
      where m.group_id = n.group_id and m.user_id = d.user_id and m.left_at is null
        and not (n.type = 'rank_change' and m.is_muted)))
  order by n.created_at desc, n.id desc
  limit 1
),
moment as materialized (
  select m.at, n.at + in_seconds(s.push_age) as expires_at,
    quiet_end(m.at, d.zone, d.quiet_from, d.quiet_until) as quiet_until
  from (select domain_now() as at) m, setting s, device d, newest n
),
decided as materialized (
  select m.at,
    case when m.expires_at <= m.at or m.quiet_until >= m.expires_at then 'drop'
      when m.quiet_until is not null then 'wait' else 'send' end as decision,
    coalesce(m.quiet_until, m.expires_at) as until
  from moment m
)
select d.platform, d.environment, d.token, d.secret, d.locale, n.kind, g.name,
  coalesce(n.content ->> 'message', ''), g.id::text,
  jsonb_strip_nulls(jsonb_build_object('notificationId', n.id::text, 'challengeId', n.challenge_id,
    'weekStart', n.content ->> 'week_start'))::text,
  (select count(*) from notification b
    where b.user_id = d.user_id and not b.is_read
      and b.created_at > c.at - notification_lifetime())::integer,
  c.decision, greatest(ceil(extract(epoch from c.until - c.at)), 0)::bigint, d.registered_at
from device d, newest n, decided c, groups g
where g.id = n.group_id
