-- Appends an event for each new notification and each device of its recipient. A rank change has the key DEVICE/BOARD,
-- so that several rank changes on one board become one push. The key of any other notification is DEVICE/NOTIFICATION.
-- The joins are always nested loops, because a cached plan could otherwise read all devices for each notification.
-- Locks: none. Index: push_device_user.
create or replace function notification_inserted() returns trigger
language plpgsql security definer set search_path from current
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  ranks text[];
  others text[];
begin
  select array_agg(distinct d.id || '/' || n.challenge_id) filter (where n.type = 'rank_change'),
    array_agg(d.id || '/' || n.id) filter (where n.type <> 'rank_change')
  into ranks, others
  from new_row n
  join push_device d on d.user_id = n.user_id;
  if ranks is not null then
    perform append_events('push.rank-change', ranks);
  end if;
  if others is not null then
    perform append_events('push.notification', others);
  end if;
  return null;
end $$
