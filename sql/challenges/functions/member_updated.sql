-- Updates dependent rows if a user leaves or returns to a group, for every write to the `member` table. The trigger
-- updates the membership, the active group and the number of members. The trigger also hides or shows the entries of
-- open weeks.
create or replace function member_updated() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  other text;
begin
  if new.joined_at <> old.joined_at then
    update membership i set joined_at = new.joined_at
    where i.group_id = new.group_id and i.user_id = new.user_id and i.joined_at = old.joined_at;
  end if;
  if new.left_at is not distinct from old.left_at then
    return null;
  end if;
  if new.left_at is not null then
    update membership i set left_at = new.left_at
    where i.group_id = new.group_id and i.user_id = new.user_id
      and i.left_at is not distinct from old.left_at;
    delete from active_group a where a.user_id = new.user_id and a.group_id = new.group_id;
  else
    -- If the user returns at the time when the old membership began, the old membership continues. If `old.left_at` is
    -- more than 1 minute in the future, the value was recorded while the clock was wrong. The new membership then
    -- begins now.
    insert into membership (group_id, user_id, joined_at)
    values (new.group_id, new.user_id, case when old.left_at <= domain_now() + interval '1 minute'
      then greatest(domain_now(), old.left_at) else domain_now() end)
    on conflict (group_id, user_id, joined_at) do update set left_at = null, removed_by = null;
    insert into active_group (user_id, group_id) values (new.user_id, new.group_id)
    on conflict do nothing;
    select a.group_id into other from active_group a
    where a.user_id = new.user_id and a.group_id <> new.group_id;
    if found then
      perform refuse_second_group(new.user_id, other);
    end if;
  end if;
  if not new.has_left then
    update member m set has_left = true
    where m.group_id = new.group_id and m.user_id = new.user_id;
  end if;
  -- If one statement ends all memberships of a group, the first call of this trigger stores the count 0.
  if new.left_at is null
    or (select g.member_count from groups g where g.id = new.group_id) > 0 then
    perform count_members(array[new.group_id::text]);
  end if;
  if new.left_at is not null
    or (select u.shares_workouts from users u where u.id = new.user_id) then
    perform hide_entries(new.group_id, new.user_id, new.left_at is not null);
  end if;
  return null;
end $$
