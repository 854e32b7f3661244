-- Unites the memberships of two users whose groups the caller holds: who of them is in a group is, since the earlier
-- time, with the higher role.
create or replace function merge_members(gone text, account text, at timestamptz) returns void
language plpgsql as $$
begin
  update member m
  set role = case
      when m.left_at is null and g.left_at is null then least(m.role, g.role)
      when g.left_at is null then g.role
      else m.role
    end,
    joined_at = least(m.joined_at, g.joined_at),
    left_at = case when m.left_at is not null and g.left_at is not null
      then greatest(m.left_at, g.left_at) end,
    removed_by = case when m.left_at is not null and g.left_at is not null
      then coalesce(m.removed_by, g.removed_by) end
  from member g
  where m.user_id = account and g.user_id = gone and g.group_id = m.group_id;
  update member m set removed_by = account where m.removed_by = gone;
  -- One of the two goes first, so that a full group stays within its cap.
  delete from member m
  where m.user_id = gone
    and exists (select from member a where a.group_id = m.group_id and a.user_id = account);
  update member m set user_id = account where m.user_id = gone;
end $$
