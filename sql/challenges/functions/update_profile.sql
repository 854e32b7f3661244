-- Changes a user's name and photo in one call, because the client's form sends both. The user_changed trigger updates
-- the entries of open weeks. Closed boards keep the name and the photo that the user had when the boards were closed.
create or replace function update_profile(actor text, display_name text, photo_url text)
returns void
language plpgsql security definer set search_path from current as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(display_name),
    octet_length(photo_url)]);
begin
  perform require_actor(actor);
  perform check_profile('user ' || quote_literal(actor), display_name, photo_url);
  if display_name is null or trim(display_name) = '' then
    perform refuse('invalidInput', format('the name of user %s is empty', quote_literal(actor)),
      'Nothing was changed. Send a name of 1 to 256 bytes.');
  end if;
  update users u
  set display_name = update_profile.display_name, photo_url = update_profile.photo_url,
    asks_for_name = false
  where u.id = actor
    and (u.display_name, u.photo_url, u.asks_for_name)
      is distinct from (update_profile.display_name, update_profile.photo_url, false);
end $$;

comment on function update_profile is
  'Changes the name and the photo of the actor. Safe to repeat.'
