-- Returns the actor's groups, ordered by name. Index: member_user, groups_pkey.
create or replace function joined_groups(actor text) returns setof group_answer
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
begin
  perform require_actor(actor);
  return query
  select r.*
  from member m
  join groups g on g.id = m.group_id
  cross join lateral group_row(g.id, actor) r
  where m.user_id = actor and m.left_at is null
  order by g.name collate "C", g.id;
end $$;

comment on function joined_groups is 'The groups of the actor.'
