-- Returns the ids of the presences that the user in this transaction's identity claim may see. For an anonymous caller,
-- the result is empty. A policy calls the function once per query. The function returns visible rows only, so a caller
-- cannot find out which users have blocked the caller. Locks: none. Indexes: member_user, presence_pkey,
-- user_block_pkey, user_block_blocked.
-- needs: hidden_users
create or replace function actor_presences() returns bigint[]
language plpgsql stable security definer set search_path from current as $$
declare
  actor constant text := current_actor();
  hidden constant text[] := hidden_users(actor);
begin
  return array(
    select p.id
    from member m
    join presence p on p.group_id = m.group_id
    where m.user_id = actor and m.left_at is null and p.user_id <> all (hidden));
end $$
