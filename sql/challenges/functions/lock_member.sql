-- Begins the healing of a member's week: whoever records a workout of theirs is waited for, and waits until the end
-- of the transaction. False where there is no such member. Index: member_pkey.
create or replace function lock_member(of_group text, of_user text) returns boolean
language plpgsql security definer set search_path from current as $$
begin
  update member set calls = calls + 1 where group_id = of_group and user_id = of_user;
  return found;
end $$
