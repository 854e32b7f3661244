-- Ends one membership. The caller must have locked the group. If the last admin leaves, the member who joined first
-- becomes an admin. If the last member leaves, the group ends.
create or replace function end_membership(of_group text, of_user text, by_admin text) returns void
language plpgsql as $$
begin
  update member m set role = 'admin'
  where m.group_id = of_group and m.user_id = (
      select n.user_id from member n
      where n.group_id = of_group and n.left_at is null and n.user_id <> of_user
      order by n.joined_at, n.user_id
      limit 1)
    and not exists (
      select from member n
      where n.group_id = of_group and n.left_at is null and n.role = 'admin' and n.user_id <> of_user);
  -- If the clock was set back, the membership ends at the time when it began.
  update member m
  set left_at = greatest(domain_now(), m.joined_at), is_removed = by_admin is not null, removed_by = by_admin,
    role = 'member'
  where m.group_id = of_group and m.user_id = of_user;
  if not exists (select from member m where m.group_id = of_group and m.left_at is null) then
    perform end_group(of_group, null);
  end if;
end $$
