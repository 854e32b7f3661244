-- Begins a membership for each new member, makes the group the user's active group, and counts the members. The
-- statement that inserts the member may already have inserted the user's row in active_group. If active_group contains
-- another group for the user, the insertion is rejected. If the row in active_group is uncommitted, the insertion waits
-- for the transaction that wrote the row.
create or replace function member_inserted() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  active_users text[] := array(select user_id from new_row where left_at is null order by user_id);
  their_groups text[] := array(select group_id from new_row where left_at is null order by user_id);
  all_groups text[] := array(select distinct group_id from new_row);
  made integer;
  second record;
begin
  insert into membership (group_id, user_id, joined_at, left_at)
  select group_id, user_id, joined_at, left_at from new_row;
  insert into active_group (user_id, group_id)
  select * from unnest(active_users, their_groups)
  on conflict do nothing;
  get diagnostics made = row_count;
  if made < cardinality(active_users) then
    select a.user_id, a.group_id into second
    from unnest(active_users, their_groups) n (user_id, group_id)
    join active_group a on a.user_id = n.user_id
    where a.group_id <> n.group_id
    limit 1;
    if found then
      perform refuse_second_group(second.user_id, second.group_id);
    end if;
  end if;
  perform count_members(all_groups);
  return null;
end $$
