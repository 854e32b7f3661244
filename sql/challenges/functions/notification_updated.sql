-- For each unread notification whose rank changed and each of the recipient's devices, appends an event. Other changes
-- of a notification, such as marking the notification as read, append no event. The function finds devices by index, as
-- notification_inserted does. Locks: none. Index: push_device_user.
create or replace function notification_updated() returns trigger
language plpgsql security definer set search_path from current
set enable_mergejoin = off set enable_seqscan = off as $$
declare
  ranks text[];
  changed bigint[];
begin
  changed := array(
    select n.id
    from new_row n
    join old_row o on o.id = n.id
    where n.type = 'rank_change' and not n.is_read and n.content -> 'to' is distinct from o.content -> 'to');
  if changed = '{}' then
    return null;
  end if;
  ranks := array(
    select distinct d.id || '/' || n.challenge_id
    from new_row n
    cross join lateral (select p.id from push_device p where p.user_id = n.user_id offset 0) d
    where n.id = any (changed));
  if ranks <> '{}' then
    perform append_events(tg_argv[0], ranks);
  end if;
  return null;
end $$
