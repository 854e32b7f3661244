-- Returns a group, if the group is public or the actor is a member.
create or replace function get_group(actor text, group_id text) returns group_answer
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id)]);
begin
  perform require_actor(actor);
  if not exists (
    select from groups g where g.id = get_group.group_id and g.is_active and g.is_public) then
    perform require_member(actor, group_id);
  end if;
  return group_row(group_id, actor);
end $$;

comment on function get_group is 'A group, as its members see it or, if it is public, as everyone sees it.'
