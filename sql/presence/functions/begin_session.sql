-- Starts a session for a device. The API calls the function after sign_in or link_account. The session token consists
-- of 256 random bits in hexadecimal. The session token is returned only once, because only its SHA-256 hash is stored.
-- N concurrent calls by one user may exceed the daily limit on sessions by N - 1. Index: session_of_user.
create or replace function begin_session(actor text, device text)
returns table (token text, expires_at timestamptz)
language plpgsql security definer set search_path from current as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(device)]);
  at constant timestamptz := domain_now();
  -- One random UUID would not be sufficient, because it contains only 122 random bits.
  made constant text := encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
    || uuid_send(gen_random_uuid())), 'hex');
  most constant integer := (select s.sessions_a_day from setting s);
  ends_at constant timestamptz := at + (select in_seconds(s.session_age) from setting s);
begin
  perform require_actor(actor);
  perform check_text('the name of a device', device, 100);
  -- The `retention` job does not check an anonymous user until the user's last session has ended.
  update users u set active_until = greatest(u.active_until, ends_at)
  where u.id = actor and u.is_anonymous and u.merged_into is null;
  perform hold_actor(actor);
  if (
    select count(*) from (
      select from session s where s.user_id = actor and s.created_at > at - interval '24 hours'
        -- A stored time in the future is ignored, because it was recorded while the clock was wrong.
        and s.created_at <= at + interval '1 minute'
      limit most) s) >= most then
    perform refuse_limit('sessions_a_day', format('user %s started too many sessions within a day',
      quote_literal(actor)));
  end if;
  insert into session (token_hash, user_id, device, created_at, expires_at)
  values (sha256(convert_to(made, 'UTF8')), actor, device, at, ends_at);
  return query select made, ends_at;
end $$;

comment on function begin_session is 'Signs a device in; its token, shown once.'
