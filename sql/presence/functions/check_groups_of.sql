-- Rejects a call if the user is already a member of the maximum number of groups. The value of the groups_of_user
-- setting cannot exceed a fixed maximum, because several calls read all of a user's groups. N concurrent calls by one
-- user may exceed the limit on groups by N - 1. Index: member_user.
create or replace function check_groups_of(of_user text) returns void
language plpgsql as $$
declare
  most constant integer := (select s.groups_of_user from setting s);
begin
  if (
    select count(*) from (
      select from member m where m.user_id = of_user and m.left_at is null limit most) m) >= most then
    perform refuse('limitReached', format('user %s is in %s groups', quote_literal(of_user), most),
      'Nothing was changed. Leave a group first.', 'groups_of_user');
  end if;
end $$
