-- Deletes a user's account, and all users that were merged into it. The memberships end, and all devices are signed
-- out. Messages, codes and groups remain without the user's id. Locks: the user's attempts, each of the user's groups
-- in order of id, then the rows of the deleted users. If a concurrent transaction adds a membership for the user, the
-- call fails with a serialization failure.
create or replace function end_account(of_user text) returns void
language plpgsql as $$
declare
  own_group text;
  all_of text[];
begin
  perform hold_attempts(of_user);
  foreach own_group in array hold_groups(array[of_user]) loop
    if exists (
      select from member m
      where m.group_id = own_group and m.user_id = of_user and m.left_at is null) then
      perform end_membership(own_group, of_user, null);
    end if;
  end loop;
  -- After this lock is acquired, no new rows can refer to the locked users.
  all_of := array(
    select u.id from users u where u.id = of_user or u.merged_into = of_user order by u.id for update);
  if exists (select from member m where m.user_id = of_user and m.left_at is null) then
    raise serialization_failure using
      message = format('user %s joined a group while the account was deleted', quote_literal(of_user)),
      hint = 'Nothing was changed. Try again.';
  end if;
  update member m set removed_by = null where m.removed_by = any (all_of);
  -- An operator can still handle the user's reports about other users. A report's note may contain the deleted user's
  -- name.
  update user_report r set reporter = null, note = '' where r.reporter = any (all_of);
  delete from user_report r where r.reported = any (all_of);
  update message m set user_id = null where m.user_id = any (all_of);
  update invite i set created_by = null where i.created_by = any (all_of);
  update groups g
  set created_by = case when g.created_by = any (all_of) then null else g.created_by end,
    deleted_by = case when g.deleted_by = any (all_of) then null else g.deleted_by end
  where g.created_by = any (all_of) or g.deleted_by = any (all_of);
  perform delete_presences(all_of);
  delete from member m where m.user_id = any (all_of);
  delete from user_stats s where s.user_id = any (all_of);
  delete from session s where s.user_id = any (all_of);
  delete from identity i where i.user_id = any (all_of);
  delete from users u where u.merged_into = of_user;
  delete from users u where u.id = of_user;
end $$
