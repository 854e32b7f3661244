-- Returns the groups of the user in this transaction's identity claim. For an anonymous caller, the result is empty.
-- Policies call the function once per query. Locks: none. Index: member_user.
create or replace function actor_groups() returns text[]
language plpgsql stable security definer set search_path from current as $$
declare
  actor constant text := current_actor();
begin
  return array(select m.group_id from member m where m.user_id = actor and m.left_at is null);
end $$
