-- Returns how many visible, unread notifications the actor has.
create or replace function badge(actor text) returns integer
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
begin
  perform require_actor(actor);
  return (
    select count(*) from notification n
    where n.user_id = actor and not n.is_read
      and n.created_at > domain_now() - notification_lifetime());
end $$;

comment on function badge is 'How many notifications the actor may see and has not read.'
