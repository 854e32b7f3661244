-- Prevents the deletion of a member's active group. Workouts of a member without an active group would not count.
create or replace function active_group_removed() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  users_there text[] := array(select user_id from old_row order by user_id);
  groups_there text[] := array(select group_id from old_row order by user_id);
begin
  if exists (
    select from unnest(users_there, groups_there) o (user_id, group_id)
    join member m on m.group_id = o.group_id and m.user_id = o.user_id and m.left_at is null
    left join active_group a on a.user_id = o.user_id
    where a.group_id is distinct from o.group_id)
  then
    raise check_violation using message = 'a member keeps the group as the active one',
      hint = 'Nothing was removed. It goes when the member leaves.';
  end if;
  return null;
end $$
