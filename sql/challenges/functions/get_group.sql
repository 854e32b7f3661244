-- Returns one of the actor's groups.
create or replace function get_group(actor text, group_id text) returns group_answer
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id)]);
begin
  perform require_member(actor, group_id);
  return group_row(group_id, actor);
end $$;

comment on function get_group is 'A group, as its member sees it.'
