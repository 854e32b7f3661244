-- Returns the user for an identity provider's subject. The first call for a subject creates the user. The API must have
-- verified the provider's token before the call. The function has no parameter for the actor, because a new user is not
-- an actor before the call. A sign-in never changes an existing name. The email address is updated from the provider.
-- If two calls for a new subject are concurrent, the second call waits for the first call and then finds the user. Only
-- new users count toward the hourly limit on accounts.
create or replace function upsert_user(
  provider text, subject text, display_name text default null, email text default null,
  photo_url text default null
) returns user_answer
language plpgsql security definer set search_path from current as $$
declare
  checked constant boolean := check_sizes(array[octet_length(provider), octet_length(subject),
    octet_length(display_name), octet_length(email), octet_length(photo_url)]);
  given_name constant text := nullif(trim(display_name), '');
  found_id text;
  new_id constant text := gen_random_uuid();
begin
  perform require_read_committed();
  perform check_identity(provider, subject, given_name, email, photo_url);
  loop
    select i.user_id into found_id from identity i
    where i.provider = upsert_user.provider::auth_provider and i.subject = upsert_user.subject;
    exit when found;
    if count_in_hour('account_count', domain_now()) > (select s.accounts_an_hour from setting s) then
      perform refuse_limit('accounts_an_hour', 'too many users signed in for the first time in this hour');
    end if;
    insert into users (id, display_name, asks_for_name, email, photo_url, auth_provider)
    values (new_id, coalesce(given_name, 'User ' || nextval('user_number')), given_name is null,
      upsert_user.email, upsert_user.photo_url, upsert_user.provider::auth_provider);
    insert into identity (provider, subject, user_id)
    values (upsert_user.provider::auth_provider, upsert_user.subject, new_id)
    on conflict do nothing;
    if found then
      return user_row(new_id);
    end if;
    -- A concurrent call has already created another user for the same subject. The user that this call created is
    -- therefore deleted.
    delete from users u where u.id = new_id;
  end loop;
  update users u set email = upsert_user.email
  where u.id = found_id and upsert_user.email is not null and u.email is distinct from upsert_user.email;
  return user_row(found_id);
end $$;

comment on function upsert_user is
  'The user of a provider''s subject, made where there is none. Safe to repeat.'
