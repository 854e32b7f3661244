-- Ends one of the actor's sessions. If the session belongs to another user or has ended, nothing changes. The session's
-- access tokens stay valid until they expire, but cannot register a device for push notifications. Index: session_pkey.
create or replace function end_session(actor text, session_id uuid) returns void
language plpgsql security definer set search_path from current as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
begin
  perform require_actor(actor);
  update session s set ended_at = greatest(domain_now(), s.created_at)
  where s.id = session_id and s.user_id = actor and s.ended_at is null;
end $$;

comment on function end_session is 'Signs one device of the actor out. Safe to repeat.'
