-- Begins the repair of a member's week. It waits for calls that are recording a workout of the member; later ones wait
-- until this transaction ends. False if the member does not exist. Index: member_pkey.
create or replace function lock_member(of_group text, of_user text) returns boolean
language plpgsql security definer set search_path from current as $$
begin
  update member set calls = calls + 1 where group_id = of_group and user_id = of_user;
  return found;
end $$
