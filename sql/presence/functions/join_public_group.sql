-- Makes the actor a member of a public group. Users whom an admin has removed are rejected. Locks: the group.
create or replace function join_public_group(actor text, group_id text) returns group_answer
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id)]);
  it groups;
  there member;
begin
  perform require_actor(actor);
  it := lock_group(group_id);
  select * into there from member m where m.group_id = it.id and m.user_id = actor;
  if there.user_id is not null and there.left_at is null then
    return group_row(it.id, actor);
  elsif (it.is_active and it.is_public) is not true then
    perform refuse_group(group_id);
  elsif there.is_removed then
    perform refuse('notAMember', format('an admin removed user %s from group %s', quote_literal(actor),
      quote_literal(it.id)), 'Nothing was changed. Ask an admin of the group for an invite.');
  end if;
  perform enter_group(it, actor);
  return group_row(it.id, actor);
end $$;

comment on function join_public_group is 'Makes the actor a member of a public group. Safe to repeat.'
