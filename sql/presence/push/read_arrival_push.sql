-- Reads the push notification about a first arrival for a device. $1: the device's id. $2: the arrival's id, as text.
-- Rows: one row with the columns of read_message_push. If the group's date has changed or the recipient has muted
-- notifications about first arrivals, the statement returns no row. The statement also returns no row if the recipient
-- or the arriving user has left the group or blocks the other user. Locks: none. Indexes: push_device_pkey,
-- first_arrival_id, member_pkey, user_block_pkey.
with device as materialized (
  select d.id, d.platform, d.environment, d.token, d.secret, d.locale, d.registered_at, g.id::text as group_id,
    g.name, a.display_name, quiet_end(n.at, coalesce(u.time_zone, 'UTC'), p.quiet_from, p.quiet_until) as quiet_until,
    f.arrived_at + in_seconds(s.push_age) as expires_at, n.at
  from (select domain_now() as at) n, setting s, first_arrival f
  join groups g on g.id = f.group_id
  join users a on a.id = f.user_id
  join member b on b.group_id = f.group_id and b.user_id = f.user_id and b.left_at is null
  join push_device d on d.id = $1 and d.user_id <> f.user_id
  join users u on u.id = d.user_id
  join member r on r.group_id = f.group_id and r.user_id = d.user_id and r.left_at is null
  left join push_setting p on p.user_id = d.user_id
  where f.id = $2::text::bigint and f.local_date = (n.at at time zone g.time_zone)::date
    and not coalesce('first_arrival' = any (p.muted), false)
    and not exists (
      select from user_block b
      where (b.user_id, b.blocked_user) in ((d.user_id, f.user_id), (f.user_id, d.user_id)))
)
select d.platform, d.environment, d.token, d.secret, d.locale, 'first_arrival', d.name,
  d.display_name || ' is there.', d.group_id, jsonb_build_object('arrivalId', $2::text)::text,
  null::integer,
  case when d.expires_at <= d.at or d.quiet_until >= d.expires_at then 'drop'
    when d.quiet_until is not null then 'wait' else 'send' end,
  greatest(ceil(extract(epoch from coalesce(d.quiet_until, d.expires_at) - d.at)), 0)::bigint, d.registered_at
from device d
