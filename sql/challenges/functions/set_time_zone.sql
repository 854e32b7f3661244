-- Changes the time zone in which a user's streak days are counted. Days that were already recorded keep their dates.
-- The time zone can change only once every 24 hours, because frequent changes would create extra days. If the user
-- already has the time zone, the call writes nothing, so a call can be repeated safely. If the last change is more than
-- a minute in the future, it is ignored, because it was recorded while the clock was wrong.
create or replace function set_time_zone(user_id text, time_zone text) returns void
language plpgsql security definer set search_path from current as $$
declare
  checked constant boolean := check_sizes(array[octet_length(user_id), octet_length(time_zone)]);
begin
  perform require_claim(user_id);
  if is_time_zone(time_zone) is not true then
    raise exception 'there is no time zone %', quote_nullable(left(time_zone, 64))
      using errcode = 'ZB003', hint = 'Nothing was changed. Send an IANA name, for example Europe/Athens.';
  end if;
  if exists (select from users u where u.id = user_id and u.time_zone = set_time_zone.time_zone) then
    return;
  end if;
  update users u
  set time_zone = set_time_zone.time_zone, time_zone_changed_at = domain_now()
  where u.id = user_id
    and (u.time_zone_changed_at is null
      or u.time_zone_changed_at <= domain_now() - interval '24 hours'
      or u.time_zone_changed_at > domain_now() + interval '1 minute');
  -- A repeated call may have waited for the row of the first call, which then set the time zone.
  if found or exists (select from users u where u.id = user_id and u.time_zone = set_time_zone.time_zone) then
    return;
  elsif exists (select from users u where u.id = user_id) then
    raise exception 'the time zone of user % was changed less than 24 hours ago', quote_literal(user_id)
      using errcode = 'ZB004', hint = 'Nothing was changed. Try again a day after the last change.';
  end if;
  raise exception 'there is no user %', quote_nullable(left(user_id, 64))
    using errcode = 'ZB001', hint = 'Nothing was changed. Create the user first.';
end $$
