-- The group of which the caller is an active member; null if there is none, or if the caller is anonymous. Policies
-- read it once in each query. It is written in plpgsql, whose plans last as long as the session. In SQL, each query
-- that calls it would plan it again, which took six times as long as everything else in a policy. Locks: none.
-- Index: active_group_pkey, member_pkey.
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
