-- Returns the actor's devices that receive push notifications, most recently registered device first. Tokens and
-- secrets are not returned.
create or replace function push_devices(actor text)
returns table (id bigint, platform text, environment text, locale text, registered_at timestamptz)
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
begin
  perform require_actor(actor);
  return query
  select d.id, d.platform, d.environment, d.locale, d.registered_at
  from push_device d
  where d.user_id = actor
  order by d.registered_at desc, d.id desc;
end $$;

comment on function push_devices is 'The devices of the actor that receive pushes.'
