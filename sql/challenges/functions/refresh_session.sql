-- Replaces a session's refresh token, and returns the new token. If the token is unknown, or if the session has ended
-- or expired, the result has no row. The response may be lost, so for one minute a call with the replaced token returns
-- the new token again. A later call with the replaced token, or a call with a wrong secret, ends the session and
-- returns no row, because another device may have copied the token. The new secret is a hash of random bytes and the
-- old secret, so the database can derive the new secret again. Locks: the session's row, so concurrent calls are
-- executed one after another. Index: session_pkey.
create or replace function refresh_session(token text)
returns table (session_id uuid, user_id text, next_token text, expires_at timestamptz)
language plpgsql security definer set search_path from current as $$
declare
  checked constant boolean := check_sizes(array[octet_length(token)]);
  at constant timestamptz := domain_now();
  secret bytea;
  own record;
begin
  perform require_read_committed();
  if token is null or token !~ '^[0-9a-f]{96}$' then
    return;
  end if;
  secret := decode(substr(token, 33), 'hex');
  select s.* into own from session s where s.id = left(token, 32)::uuid for no key update;
  if not found or own.ended_at is not null or own.expires_at <= at then
    return;
  elsif own.token_hash = sha256(secret) then
    own.salt := random_secret();
    own.expires_at := at + (select in_seconds(g.session_age) from setting g);
    update session s
    set token_hash = sha256(sha256(own.salt || secret)), previous_hash = own.token_hash, salt = own.salt,
      refreshed_at = at, expires_at = own.expires_at
    where s.id = own.id;
  elsif (own.previous_hash = sha256(secret)
    -- If `refreshed_at` is in the future, the clock was wrong, and the session ends.
    and own.refreshed_at between at - interval '1 minute' and at + interval '1 minute') is not true then
    update session s set ended_at = greatest(at, s.created_at) where s.id = own.id;
    return;
  end if;
  return query select own.id, own.user_id::text, left(token, 32) || encode(sha256(own.salt || secret), 'hex'),
    own.expires_at;
end $$;

comment on function refresh_session is
  'The next refresh token of a session; no row: the session has ended. A replaced token ends the session.'
