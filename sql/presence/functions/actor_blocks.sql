-- Returns the users whom the user in this transaction's identity claim has blocked. For an anonymous caller, the
-- result is empty. A policy calls the function once per query. Locks: none. Index: user_block_pkey.
create or replace function actor_blocks() returns text[]
language plpgsql stable security definer set search_path from current as $$
declare
  actor constant text := current_actor();
begin
  return array(select b.blocked_user from user_block b where b.user_id = actor);
end $$
