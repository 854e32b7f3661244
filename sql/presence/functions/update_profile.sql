-- Changes all fields of the actor's profile in one call, because the client's form sends all of them.
create or replace function update_profile(actor text, display_name text, photo_url text, time_zone text)
returns user_answer
language plpgsql security definer set search_path from current as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(display_name),
    octet_length(photo_url), octet_length(time_zone)]);
begin
  perform require_actor(actor);
  perform check_display_name(display_name);
  perform check_photo(photo_url);
  if time_zone is not null then
    perform check_zone(time_zone);
  end if;
  update users u
  set display_name = update_profile.display_name, photo_url = update_profile.photo_url,
    time_zone = update_profile.time_zone, asks_for_name = false, version = u.version + 1
  where u.id = actor
    and (u.display_name, u.photo_url, u.time_zone, u.asks_for_name)
      is distinct from (update_profile.display_name, update_profile.photo_url, update_profile.time_zone, false);
  return user_row(actor);
end $$;

comment on function update_profile is 'Changes name, photo and zone of the actor. Safe to repeat.'
