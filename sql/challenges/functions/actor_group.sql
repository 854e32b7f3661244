-- The group of which the caller is an active member; null where they are of none, or nobody. Policies read it once
-- a query. In plpgsql, whose plans last as long as the session: one in SQL is planned again by each query that
-- calls it, which took six times as long as all else that a policy does. Locks: none.
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
