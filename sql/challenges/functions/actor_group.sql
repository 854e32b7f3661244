-- Returns the group of which the caller is a current member. If the caller is anonymous or not in a group, the result
-- is null. Policies call the function once per query. The function is written in PL/pgSQL, which caches plans for the
-- session. Locks: none. Index: active_group_pkey, member_pkey.
create or replace function actor_group() returns text
language plpgsql stable security definer set search_path from current as $$
declare
  actor constant text := current_actor();
begin
  return (
    select a.group_id
    from active_group a
    join member m on m.group_id = a.group_id and m.user_id = a.user_id
    where a.user_id = actor and m.left_at is null);
end $$
