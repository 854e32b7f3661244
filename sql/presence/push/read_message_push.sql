-- Reads the push notification about a message for a device. $1: the device's id. $2: the message's id, as text. Rows:
-- one row with the device, the message, and a decision. The decision is `send`, `wait` (until the quiet hours end), or
-- `drop` (the message is too old, or the push would expire in the quiet hours). The next column is the number of
-- seconds until the push expires or, for the decision `wait`, until the quiet hours end. The last column is the time
-- when the device was registered. No row is returned if the message was deleted or muted, or if the recipient has left
-- the group. No row is returned if the recipient or the author blocks the other. Locks: none. Indexes:
-- push_device_pkey, message_id in each partition, member_pkey, user_block_pkey.
with found as materialized (
  select m.id, m.group_id, m.user_id, m.content, m.created_at
  from message m
  where m.id = $2::text::uuid and m.deleted_at is null
),
device as materialized (
  select d.id, d.platform, d.environment, d.token, d.secret, d.locale, d.registered_at, f.group_id,
    f.user_id as sender, f.content,
    quiet_end(n.at, coalesce(u.time_zone, 'UTC'), p.quiet_from, p.quiet_until) as quiet_until,
    f.created_at + in_seconds(s.push_age) as expires_at, n.at
  from (select domain_now() as at) n, setting s, found f
  join push_device d on d.id = $1 and d.user_id is distinct from f.user_id
  join users u on u.id = d.user_id
  join member r on r.group_id = f.group_id and r.user_id = d.user_id and r.left_at is null
  left join push_setting p on p.user_id = d.user_id
  where not coalesce('message' = any (p.muted), false)
    and not exists (
      select from user_block b
      where (b.user_id, b.blocked_user) in ((d.user_id, f.user_id), (f.user_id, d.user_id)))
)
select d.platform, d.environment, d.token, d.secret, d.locale, 'message', g.name,
  concat_ws(': ', u.display_name, d.content), g.id::text, jsonb_build_object('messageId', $2::text)::text,
  null::integer,
  case when d.expires_at <= d.at or d.quiet_until >= d.expires_at then 'drop'
    when d.quiet_until is not null then 'wait' else 'send' end,
  greatest(ceil(extract(epoch from coalesce(d.quiet_until, d.expires_at) - d.at)), 0)::bigint, d.registered_at
from device d
join groups g on g.id = d.group_id
left join users u on u.id = d.sender
