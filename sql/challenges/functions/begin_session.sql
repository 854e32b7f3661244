-- Starts a session for a device. The API calls the function after upsert_user. The refresh token consists of the
-- session's id and a secret of 256 random bits, in hexadecimal. The refresh token is returned only once, because only
-- the SHA-256 hash of the secret is stored. N concurrent calls by one user can exceed the user's daily limit on
-- sessions by N - 1. Locks: the user, FOR KEY SHARE. Index: session_of_user.
create or replace function begin_session(actor text, device text)
returns table (session_id uuid, token text, expires_at timestamptz)
language plpgsql security definer set search_path from current as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(device)]);
  at constant timestamptz := domain_now();
  new_id constant uuid := gen_random_uuid();
  secret constant bytea := random_secret();
  most constant integer := (select s.sessions_a_day from setting s);
  ends_at constant timestamptz := at + (select in_seconds(s.session_age) from setting s);
begin
  perform require_actor(actor);
  if device is null or char_length(device) not between 1 and 100 then
    perform refuse('invalidInput', 'a device needs a name of 1 to 100 characters',
      'Nothing was changed. Send another name of the device.');
  end if;
  if (
    select count(*) from (
      select from session s where s.user_id = actor and s.created_at > at - interval '24 hours'
        -- A stored time in the future is ignored, because it was recorded while the clock was wrong.
        and s.created_at <= at + interval '1 minute'
      limit most) s) >= most then
    perform refuse_limit('sessions_a_day', format('user %s started too many sessions within a day',
      quote_literal(actor)));
  end if;
  -- This lock waits for a concurrent deletion of the account.
  perform from users u where u.id = actor for key share;
  if not found then
    perform refuse('notAuthenticated', format('there is no user %s', quote_literal(left(actor, 64))),
      'Nothing was changed. Sign in first: the API makes the user then.');
  end if;
  insert into session (id, user_id, device, token_hash, created_at, expires_at)
  values (new_id, actor, begin_session.device, sha256(secret), at, ends_at);
  return query select new_id, replace(new_id::text, '-', '') || encode(secret, 'hex'), ends_at;
end $$;

comment on function begin_session is 'Signs a device in; its refresh token, shown once.'
