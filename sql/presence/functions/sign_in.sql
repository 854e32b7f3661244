-- Returns the user for an identity provider's subject. The first call for a subject creates the user. The API must have
-- verified the provider's token or the device's secret before the call. The function has no parameter for the actor,
-- because a new user is not an actor before the call. A sign-in never changes an existing name. If two calls for a new
-- subject are concurrent, the second call waits for the first call and then finds the user. Only new users count toward
-- the hourly limits on new users. Anonymous users have a separate hourly limit, so that they cannot prevent users with
-- an account from signing in.
create or replace function sign_in(
  provider text, subject text, display_name text default null, photo_url text default null
) returns user_answer
language plpgsql security definer set search_path from current as $$
declare
  checked constant boolean := check_sizes(array[octet_length(provider), octet_length(subject),
    octet_length(display_name), octet_length(photo_url)]);
  given_name constant text := nullif(trim(display_name), '');
  found_id text;
  new_id constant text := gen_random_uuid();
begin
  perform require_read_committed();
  perform check_identity(provider, subject);
  if given_name is not null then
    perform check_display_name(given_name);
  end if;
  perform check_photo(photo_url);
  loop
    select i.user_id into found_id from identity i
    where i.provider = sign_in.provider::identity_provider and i.subject = sign_in.subject;
    exit when found;
    if provider = 'anonymous' and count_in_hour('device_count', domain_now())
      > (select s.devices_an_hour from setting s) then
      perform refuse_limit('devices_an_hour', 'too many devices signed in for the first time in this hour');
    elsif provider <> 'anonymous' and count_in_hour('account_count', domain_now())
      > (select s.accounts_an_hour from setting s) then
      perform refuse_limit('accounts_an_hour', 'too many users signed in for the first time in this hour');
    end if;
    insert into users (id, display_name, asks_for_name, photo_url, is_anonymous)
    values (new_id, coalesce(given_name, 'Visitor ' || nextval('user_number')), given_name is null,
      sign_in.photo_url, provider = 'anonymous');
    insert into identity (provider, subject, user_id)
    values (sign_in.provider::identity_provider, sign_in.subject, new_id)
    on conflict do nothing;
    if found then
      return user_row(new_id);
    end if;
    -- A concurrent call has already created another user for the same subject. The user that this call created is
    -- therefore deleted.
    delete from users u where u.id = new_id;
  end loop;
  return user_row(found_id);
end $$;

comment on function sign_in is
  'The user of a provider''s subject, made where there is none. Safe to repeat.'
