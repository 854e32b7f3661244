-- Starts repairing a member's week by locking the member's row. The function waits for calls that are recording the
-- member's workouts. Later calls that record the member's workouts wait until this transaction ends. The result is
-- false if the member does not exist. Index: member_pkey.
create or replace function lock_member(of_group text, of_user text) returns boolean
language plpgsql security definer set search_path from current as $$
begin
  perform require_read_committed();
  update member set calls = calls + 1 where group_id = of_group and user_id = of_user;
  return found;
end $$
