-- Ends the actor's membership. If the actor's membership has already ended, the call has no effect. Locks: the group.
create or replace function leave_group(actor text, group_id text)
returns void language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id)]);
  it groups;
begin
  perform require_actor(actor);
  it := lock_group(group_id);
  if exists (
    select from member m
    where m.group_id = it.id and m.user_id = actor and m.left_at is null)
  then
    perform end_membership(it.id, actor, null);
  elsif not exists (select from member m where m.group_id = it.id and m.user_id = actor) then
    perform require_member(actor, group_id);
  end if;
end $$;

comment on function leave_group is 'Ends the membership of the actor. Safe to repeat.'
