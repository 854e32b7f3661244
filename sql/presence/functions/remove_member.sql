-- Ends another user's membership. If an admin has already ended the membership, the call has no effect. Locks: the
-- group.
create or replace function remove_member(actor text, group_id text, user_id text)
returns void language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id), octet_length(user_id)]);
  it groups;
  there member;
begin
  perform require_actor(actor);
  it := lock_group(group_id);
  perform require_admin(actor, group_id);
  if user_id = actor then
    perform refuse('invalidInput', format('user %s cannot remove themselves', quote_literal(actor)),
      'Nothing was changed. Call leave_group.');
  end if;
  select * into there from member m where m.group_id = it.id and m.user_id = remove_member.user_id;
  if there.user_id is null or there.left_at is not null and not there.is_removed then
    perform refuse_stranger(user_id, it.id);
  elsif there.left_at is null then
    perform end_membership(it.id, there.user_id, actor);
  end if;
end $$;

comment on function remove_member is 'An admin ends the membership of another member. Safe to repeat.'
