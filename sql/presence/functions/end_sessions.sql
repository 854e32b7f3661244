-- Ends all of the actor's sessions, for example after a phone is stolen. Returns the number of ended sessions.
create or replace function end_sessions(actor text) returns bigint
language plpgsql security definer set search_path from current as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
  ended bigint;
begin
  perform require_actor(actor);
  update session s set ended_at = greatest(domain_now(), s.created_at)
  where s.user_id = actor and s.ended_at is null;
  get diagnostics ended = row_count;
  return ended;
end $$;

comment on function end_sessions is 'Signs the actor out on all devices. Safe to repeat.'
