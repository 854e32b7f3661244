-- Returns the positions, in the given arrays, of the observed chats that must be read again. A chat must be read again
-- after a message was written or deleted, or if the chat has not been read yet. The parameters are the groups, and the
-- known version of each chat (null before the first read). The function needs no actor, because it returns only
-- positions in the arrays. Index: group_chat_pkey.
create or replace function changed_chats(of_groups text[], versions bigint[]) returns table (number bigint)
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off
set plan_cache_mode = force_generic_plan as $$
begin
  return query
  select o.number
  from unnest(of_groups, versions) with ordinality o (group_id, version, number)
  where o.version is distinct from coalesce((
    select c.version from group_chat c where c.group_id = o.group_id), 0);
end $$;

comment on function changed_chats is 'Which of the chats that are observed have to be read again.'
