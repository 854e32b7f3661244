-- Registers a device of the actor for push notifications, and returns the device's id. If another user registers the
-- same APNs or FCM token, the device is transferred to that user, with a new id. If the actor has too many devices, the
-- devices that were registered longest ago are deleted. Locks: the actor's row, then the device. A device that another
-- call has locked is not deleted, so that two concurrent calls never deadlock. Indexes: push_device_token,
-- push_device_user.
create or replace function register_push_device(
  actor text, platform text, token text, environment text default 'production', locale text default 'en',
  secret text default null
) returns bigint language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(platform), octet_length(token),
    octet_length(environment), octet_length(locale), octet_length(secret)]);
  registered bigint;
begin
  perform require_actor(actor);
  perform check_push_device(platform, token, environment, locale, secret);
  perform from users u where u.id = actor for no key update;
  -- The account may have been deleted or merged during the wait for the lock.
  perform require_actor(actor);
  insert into push_device as d (user_id, platform, environment, token, secret, locale, registered_at)
  values (actor, register_push_device.platform, register_push_device.environment,
    case register_push_device.platform when 'apns' then lower(register_push_device.token)
      else register_push_device.token end,
    register_push_device.secret, register_push_device.locale, domain_now())
  on conflict on constraint push_device_token do update
  set id = case when d.user_id = excluded.user_id then d.id else excluded.id end,
    user_id = excluded.user_id, environment = excluded.environment, secret = excluded.secret,
    locale = excluded.locale, registered_at = excluded.registered_at
  returning d.id into registered;
  delete from push_device d
  where d.id in (
    select o.id from push_device o
    where o.user_id = actor and o.id <> registered
    order by o.registered_at desc, o.id desc
    offset (select s.devices_of_user - 1 from setting s)
    for update skip locked);
  return registered;
end $$;

comment on function register_push_device is
  'Registers a device of the actor for pushes. Safe to repeat; an app calls it at each start.'
