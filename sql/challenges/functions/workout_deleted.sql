-- Prevents the deletion of workouts that boards count. When an account is deleted, workouts from ended memberships may
-- be deleted, together with their derived rows. Old workouts may be deleted if no call can change them anymore and
-- their boards were deleted.
create or replace function workout_deleted() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  day record;
  week record;
  users text[] := '{}';
  groups text[] := '{}';
  weeks date[] := '{}';
begin
  for day in
    select o.user_id, o.group_id, o.local_date, o.week_start, max(o.performed_at) as last_at,
      bool_or(m.user_id is not null and m.left_at is null) as is_member
    from old_row o
    left join member m on m.group_id = o.group_id and m.user_id = o.user_id
    where o.counted
    group by o.user_id, o.group_id, o.local_date, o.week_start
    order by o.user_id, o.group_id, o.week_start
  loop
    if day.last_at < domain_now() - interval '2160 hours' and not exists (
      select from challenge c where c.group_id = day.group_id and c.week_start = day.week_start)
    then
      continue;
    elsif day.is_member then
      raise exception 'workouts of user % count on boards of group %', quote_literal(day.user_id),
        quote_literal(day.group_id)
        using errcode = 'ZB030',
          hint = 'Nothing was removed. delete_workout takes a workout back, and the boards follow.';
    end if;
    perform refresh_day(day.user_id, day.group_id, day.local_date, day.week_start);
    users := users || day.user_id::text;
    groups := groups || day.group_id::text;
    weeks := weeks || day.week_start;
  end loop;
  -- The second loop derives the entries only after the first loop has refreshed all affected days. A day that is not
  -- refreshed yet would restore an entry.
  for week in
    select distinct * from unnest(users, groups, weeks) w (user_id, group_id, week_start) order by 1, 2, 3
  loop
    perform derive_entries(week.user_id, week.group_id, week.week_start, domain_now());
  end loop;
  return null;
end $$
