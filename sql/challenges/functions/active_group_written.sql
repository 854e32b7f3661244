-- Rejects an active group if the user is not a current member of the group. The trigger checks all writes to the row,
-- not only writes by API functions.
create or replace function active_group_written() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  users_there text[] := array(select user_id from new_row order by user_id);
  groups_there text[] := array(select group_id from new_row order by user_id);
begin
  if exists (
    select from unnest(users_there, groups_there) n (user_id, group_id)
    left join member m on m.group_id = n.group_id and m.user_id = n.user_id
    where m.user_id is null or m.left_at is not null)
  then
    raise check_violation using message = 'an active group needs a member who has not left',
      hint = 'Nothing was written. Who becomes a member has the group as the active one by itself.';
  end if;
  return null;
end $$
