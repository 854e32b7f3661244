-- Refuses a call if its access token's session has ended. An access token can outlive its session by a few minutes, and
-- a device registered with the token would then receive pushes for months. Until the transaction ends, the session
-- cannot end. If `session_id` is null, the call has no access token, and is not refused. Locks: the actor's row in
-- users, then the session, in the same order as in delete_account. Index: session_pkey.
create or replace function hold_session(actor text, session_id uuid) returns void
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
begin
  perform require_actor(actor);
  if session_id is null then
    return;
  end if;
  perform from users u where u.id = actor for no key update;
  perform from session s
  where s.id = session_id and s.user_id = actor and s.ended_at is null and s.expires_at > domain_now()
  for share;
  if not found then
    perform refuse('notAuthenticated', format('the session of user %s has ended', quote_literal(left(actor, 64))),
      'Nothing was changed. Sign in again.');
  end if;
end $$;

comment on function hold_session is 'Refuses a call whose session has ended. The session does not end before the call.'
