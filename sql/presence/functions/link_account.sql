-- Links the actor, an anonymous user, to an account of a provider. The API calls the function after it has verified the
-- provider's token. If another user already has the account, all of the actor's data moves to that user (section
-- "Merged accounts" in docs/whosthere/rules.md). Returns the user of the account, whose id may differ from the actor's
-- id. Locks: the actor's row in users, and for a merge also the locks of merge_users.
create or replace function link_account(
  actor text, provider text, subject text, display_name text default null
) returns user_answer
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(provider), octet_length(subject),
    octet_length(display_name)]);
  given_name constant text := nullif(trim(display_name), '');
  account text;
begin
  perform require_claim(actor);
  perform check_identity(provider, subject);
  if provider = 'anonymous' then
    perform refuse('invalidInput', 'a device is no account',
      'Nothing was changed. Send apple, google or email.');
  end if;
  if given_name is not null then
    perform check_display_name(given_name);
  end if;
  select i.user_id into account from identity i
  where i.provider = link_account.provider::identity_provider and i.subject = link_account.subject;
  -- An earlier identical call has already merged the actor into the account.
  if account is not null and exists (select from users u where u.id = actor and u.merged_into = account) then
    return user_row(account);
  end if;
  perform require_actor(actor);
  if account <> actor then
    perform merge_users(actor, account);
    return user_row(account);
  elsif account = actor then
    return user_row(actor);
  end if;
  perform from users u where u.id = actor and u.merged_into is null for no key update;
  if not found then
    raise serialization_failure using
      message = format('user %s was merged or deleted at this moment', quote_literal(actor)),
      hint = 'Nothing was changed. Try again.';
  end if;
  insert into identity (provider, subject, user_id)
  values (link_account.provider::identity_provider, link_account.subject, actor)
  on conflict do nothing;
  if not found then
    raise serialization_failure using
      message = 'the account was made by another call at this moment',
      hint = 'Nothing was changed. Try again.';
  end if;
  update users u
  set is_anonymous = false, version = u.version + 1,
    display_name = case when u.asks_for_name then coalesce(given_name, u.display_name) else u.display_name end,
    asks_for_name = u.asks_for_name and given_name is null
  where u.id = actor and (u.is_anonymous or u.asks_for_name and given_name is not null);
  return user_row(actor);
end $$;

comment on function link_account is
  'Makes an anonymous user an account, or merges them into the one that is there. Safe to repeat.'
