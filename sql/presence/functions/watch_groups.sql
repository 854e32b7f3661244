-- Returns up to 20 of the actor's groups for a smartwatch. Groups where the actor is present come first, then all other
-- groups, ordered by name. The number of present users in each group comes from the group's summary. If any users are
-- hidden from the actor, the function counts the present users itself and omits the hidden users. Index: member_user,
-- groups_pkey, presence_pkey, group_summary_pkey, presence_present, user_block_pkey, user_block_blocked.
create or replace function watch_groups(actor text)
returns table (group_id text, name text, present_count integer, is_present boolean, version bigint)
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
  hidden text[];
begin
  perform require_actor(actor);
  hidden := hidden_users(actor);
  return query
  select g.id::text, g.name,
    case when cardinality(hidden) = 0 then coalesce(s.present_count, 0) else (
      select count(*)::integer from presence o
      where o.group_id = g.id and o.is_present and o.user_id <> all (hidden)) end,
    coalesce(p.is_present, false), coalesce(p.version, 0)
  from member m
  join groups g on g.id = m.group_id
  left join presence p on p.group_id = m.group_id and p.user_id = m.user_id
  left join group_summary s on s.group_id = m.group_id
  where m.user_id = actor and m.left_at is null
  order by coalesce(p.is_present, false) desc, g.name collate "C", g.id
  limit 20;
end $$;

comment on function watch_groups is 'The groups of the actor as a watch shows them.'
