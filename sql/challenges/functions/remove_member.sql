-- Ends another user's membership. If an admin has already ended the membership, the call has no effect. For the lock
-- order, see docs/gymrats/groups.md.
create or replace function remove_member(actor text, group_id text, user_id text)
returns void language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id), octet_length(user_id)]);
  it groups;
  ended membership;
begin
  perform require_actor(actor);
  it := lock_group(group_id);
  perform require_admin(actor, it.id);
  if user_id = actor then
    perform refuse('invalidInput', format('user %s cannot remove themselves', quote_literal(actor)),
      'Nothing was changed. Call leave_group.');
  end if;
  select * into ended from membership i
  where i.group_id = it.id and i.user_id = remove_member.user_id
  order by i.left_at desc nulls first
  limit 1;
  if ended.user_id is null or ended.left_at is not null and ended.removed_by is null then
    perform refuse_stranger(user_id, it.id);
  elsif ended.left_at is null then
    perform end_membership(it.id, ended.user_id, actor);
  end if;
end $$;

comment on function remove_member is
  'An admin ends the membership of another member. Safe to repeat.'
