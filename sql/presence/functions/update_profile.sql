-- Changes what others see of the actor: both at once, as the client's form has them.
create or replace function update_profile(actor text, display_name text, photo_url text)
returns user_answer
language plpgsql security definer set search_path from current as $$
begin
  perform require_actor(actor);
  perform check_text('the name of a user', display_name, 100);
  perform check_photo(photo_url);
  update users u
  set display_name = update_profile.display_name, photo_url = update_profile.photo_url,
    asks_for_name = false, version = u.version + 1
  where u.id = actor
    and (u.display_name, u.photo_url, u.asks_for_name)
      is distinct from (update_profile.display_name, update_profile.photo_url, false);
  return user_row(actor);
end $$;

comment on function update_profile is 'Changes the name and the photo of the actor. Safe to repeat.'
