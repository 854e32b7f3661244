-- Ends all of the actor's sessions, for example after a phone is stolen. Returns the number of ended sessions. The
-- sessions' access tokens stay valid until they expire. All of the actor's devices are deleted, so that a stolen phone
-- does not receive pushes. After the call, hold_session refuses device registrations from the ended sessions. Locks:
-- the actor's sessions, then the actor's devices. Indexes: session_of_user, push_device_user.
create or replace function end_sessions(actor text) returns bigint
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
  ended bigint;
begin
  perform require_actor(actor);
  update session s set ended_at = greatest(domain_now(), s.created_at)
  where s.user_id = actor and s.ended_at is null;
  get diagnostics ended = row_count;
  delete from push_device d where d.user_id = actor;
  return ended;
end $$;

comment on function end_sessions is 'Signs the actor out on all devices. Safe to repeat.'
