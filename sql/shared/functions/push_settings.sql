-- Returns the kinds of push notifications that the actor has muted, and the quiet hours as HH:MM. If the actor has not
-- set anything, no kind is muted.
create or replace function push_settings(actor text)
returns table (muted text[], quiet_from text, quiet_until text)
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
begin
  perform require_actor(actor);
  return query
  select coalesce(s.muted, '{}'), left(s.quiet_from::text, 5), left(s.quiet_until::text, 5)
  from users u
  left join push_setting s on s.user_id = u.id
  where u.id = actor;
end $$;

comment on function push_settings is 'Which pushes the actor wants, and when none.'
