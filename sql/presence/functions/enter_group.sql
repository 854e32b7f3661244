-- Adds a user to a group that the caller has locked. If a former member returns, the existing row in the `member` table
-- is used again.
create or replace function enter_group(it groups, of_user text) returns void
language plpgsql as $$
begin
  if it.member_count >= it.max_members then
    perform refuse('groupFull', format('group %s has all of its %s members', quote_literal(it.id),
      it.max_members), 'Nothing was changed. Try again when a member has left.');
  end if;
  perform hold_actor(of_user);
  perform check_groups_of(of_user);
  insert into member (group_id, user_id, joined_at) values (it.id, of_user, domain_now())
  on conflict (group_id, user_id) do update set left_at = null, is_removed = false, removed_by = null;
end $$
