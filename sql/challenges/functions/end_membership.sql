-- Ends one membership. The caller must have locked the group. If the last admin leaves, the member who joined first
-- becomes an admin. If the last member leaves, the group ends. If another member becomes an admin, both members' rows
-- are locked in order of id, as in reopen_week.
create or replace function end_membership(of_group text, of_user text, by_admin text) returns void
language plpgsql as $$
declare
  successor text;
  since timestamptz;
begin
  if not exists (
    select from member m
    where m.group_id = of_group and m.left_at is null and m.role = 'admin' and m.user_id <> of_user)
  then
    select m.user_id into successor from member m
    where m.group_id = of_group and m.left_at is null and m.user_id <> of_user
    order by m.joined_at, m.user_id
    limit 1;
  end if;
  perform from member m
  where m.group_id = of_group and m.user_id in (of_user, successor)
  order by m.user_id
  for no key update;
  update member m set role = 'admin' where m.group_id = of_group and m.user_id = successor;
  select i.joined_at into since from membership i
  where i.group_id = of_group and i.user_id = of_user and i.left_at is null;
  -- If the clock was set back, the membership ends at the time when it began.
  update member m
  set left_at = greatest(domain_now(), since), has_left = true, role = 'member'
  where m.group_id = of_group and m.user_id = of_user;
  update membership i set removed_by = by_admin
  where by_admin is not null and i.group_id = of_group and i.user_id = of_user
    and i.joined_at = since;
  if not exists (select from member m where m.group_id = of_group and m.left_at is null) then
    perform end_group(of_group, null);
  end if;
end $$
