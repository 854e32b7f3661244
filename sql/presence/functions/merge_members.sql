-- Merges the memberships of two users whose groups the caller has locked. The account becomes a member of each group of
-- which at least one of the two users is a member. If both users have joined a group, the earlier join time is kept. If
-- both users are members and at least one is an admin, the account becomes an admin. If both users have rows in
-- `member` for a group, one statement deletes one row and updates the other row. The number of members therefore does
-- not increase during the merge, so the group never exceeds the maximum size.
create or replace function merge_members(gone text, account text) returns void
language plpgsql as $$
begin
  with g as (
    delete from member g
    using member m
    where g.user_id = gone and m.user_id = account and m.group_id = g.group_id
    returning g.group_id, g.role, g.joined_at, g.left_at, g.is_removed, g.removed_by
  )
  update member m
  set role = case
      when m.left_at is null and g.left_at is null then least(m.role, g.role)
      when g.left_at is null then g.role
      else m.role
    end,
    joined_at = least(m.joined_at, g.joined_at),
    left_at = case when m.left_at is not null and g.left_at is not null
      then greatest(m.left_at, g.left_at) end,
    -- If one of the two users removed the other user, the removal is not kept.
    is_removed = m.left_at is not null and g.left_at is not null
      and (m.is_removed and m.removed_by is distinct from gone
        or g.is_removed and g.removed_by is distinct from account),
    removed_by = case when m.left_at is not null and g.left_at is not null
      then coalesce(nullif(m.removed_by, gone), nullif(g.removed_by, account)) end
  from g
  where m.user_id = account and m.group_id = g.group_id;
  update member m set removed_by = account where m.removed_by = gone;
  update member m set user_id = account where m.user_id = gone;
end $$
