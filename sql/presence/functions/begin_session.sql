-- Starts a session of a device. The API calls the function after sign_in or link_account. The token has 256 random bits
-- in hexadecimal and is returned only once, because only its SHA-256 is stored.
create or replace function begin_session(actor text, device text)
returns table (token text, expires_at timestamptz)
language plpgsql security definer set search_path from current as $$
declare
  at constant timestamptz := domain_now();
  -- A UUID has 122 random bits.
  made constant text := encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
    || uuid_send(gen_random_uuid())), 'hex');
  ends_at constant timestamptz := at + (select in_seconds(s.session_age) from setting s);
begin
  perform require_actor(actor);
  perform check_text('the name of a device', device, 100);
  -- Retention reads a device's user again when this session has been over for long.
  update users u set active_until = greatest(u.active_until, ends_at)
  where u.id = actor and u.is_anonymous and u.merged_into is null;
  perform hold_actor(actor);
  insert into session (token_hash, user_id, device, created_at, expires_at)
  values (sha256(convert_to(made, 'UTF8')), actor, device, at, ends_at);
  return query select made, ends_at;
end $$;

comment on function begin_session is 'Signs a device in; its token, shown once.'
