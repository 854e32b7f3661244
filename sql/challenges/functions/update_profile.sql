-- Changes what others see of a user: both at once, as the client's form has them. Entries of open weeks
-- follow by the trigger user_changed; closed boards keep the name that they closed with.
create or replace function update_profile(actor text, display_name text, photo_url text)
returns void
language plpgsql security definer set search_path from current as $$
begin
  perform require_actor(actor);
  if display_name is null or trim(display_name) = '' or octet_length(display_name) > 256
    or display_name ~ e'[\\x01-\\x1f\\x7f]' then
    perform refuse('invalidInput',
      format('profile of user %s: the name is empty, too long or has control characters',
        quote_literal(actor)), 'Nothing was changed. Send a name of 1 to 256 bytes.');
  elsif octet_length(photo_url) > 2048 or photo_url !~ '^https://[!-~]+$' then
    perform refuse('invalidInput',
      format('profile of user %s: the photo is no address of https, or too long', quote_literal(actor)),
      'Nothing was changed. Send an address of at most 2048 bytes, or null for no photo.');
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
