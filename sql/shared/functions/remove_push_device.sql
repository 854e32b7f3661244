-- Removes one of the actor's devices, which then no longer receives push notifications. Ids of other users' devices are
-- ignored.
create or replace function remove_push_device(actor text, device_id bigint) returns void
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
begin
  perform require_actor(actor);
  delete from push_device d where d.id = device_id and d.user_id = actor;
end $$;

comment on function remove_push_device is 'Ends the pushes to a device of the actor, for a sign-out. Safe to repeat.'
