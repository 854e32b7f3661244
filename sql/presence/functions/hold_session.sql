-- Refuses a call if the session with the call's token has ended. The API checks the token in another transaction, and
-- the session may have ended since then. Until the transaction ends, the session cannot end. If the token is null, the
-- call has no session, and is not refused. Locks: the actor's row in users, then the session, in the order described in
-- the "Locks" section of docs/whosthere/rules.md. Index: session_token.
create or replace function hold_session(actor text, token text) returns void
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(token)]);
begin
  perform require_actor(actor);
  if token is null then
    return;
  end if;
  perform from users u where u.id = actor for no key update;
  perform from session s
  where s.token_hash = sha256(convert_to(token, 'UTF8')) and s.user_id = actor
    and s.ended_at is null and s.expires_at > domain_now()
  for share;
  if not found then
    perform refuse('sessionExpired', format('the session of user %s has ended', quote_literal(left(actor, 64))),
      'Nothing was changed. Sign in again.');
  end if;
end $$;

comment on function hold_session is 'Refuses a call whose session has ended. The session does not end before the call.'
