-- Returns one member's number of check-ins and streak for one week. For each day, stores the streak that ends on that
-- day. A loop finds the longest streak, which the `peak` policy needs.
--
-- A local date starts at most 14 h before the same UTC date, and ends at most 12 h after it. Only a local Sunday or
-- Monday can therefore contain workouts of two UTC weeks. Workouts on the Friday and the Saturday before the week
-- always belong to the previous week. The stored streaks of these two days therefore include all earlier days.
create or replace function refresh_week(
  of_user text, of_group text, of_week date, max_per_day integer,
  policy streak_policy, source streak_source,
  out check_ins integer, out check_ins_at timestamptz, out streak integer, out streak_at timestamptz
) language plpgsql as $$
declare
  day workout_day;
  reached_date date;
  streak_here integer;
  last_at timestamptz;
  last_offset_s integer;
begin
  check_ins := 0;
  streak := 0;
  for day in
    select * from workout_day d
    where d.user_id = of_user and d.group_id = of_group
      and d.local_date between of_week - 3 and of_week + 7 and d.week_start <= of_week
    order by d.local_date, d.week_start
  loop
    if day.local_date is distinct from reached_date then
      streak_here := case
        when day.local_date <= of_week - 2 then day.streak
        when day.local_date = reached_date + 1 then streak_here + 1
        -- If a time zone change skipped a date, the missing date does not end the streak.
        when day.local_date = reached_date + 2 and day.first_at - last_at < interval '30 hours'
          and day.first_offset_s <> last_offset_s then streak_here + 1
        else 1
      end;
      reached_date := day.local_date;
    end if;
    last_at := day.last_at;
    last_offset_s := day.last_offset_s;
    if day.week_start = of_week then
      check_ins := check_ins + day.workouts;
      check_ins_at := greatest(check_ins_at, day.last_at);
      if streak_here > streak then
        streak := streak_here;
        streak_at := day.first_at;
      end if;
      if day.streak <> streak_here then
        update workout_day d set streak = streak_here
        where d.user_id = of_user and d.group_id = of_group
          and d.local_date = day.local_date and d.week_start = of_week;
      end if;
    end if;
  end loop;
  if policy <> 'peak' or source <> 'ledger' then
    select * into streak, streak_at
    from other_streak(of_user, of_group, of_week, policy, source);
  end if;
  if max_per_day > 0 then
    select count(*), max(w.performed_at) into check_ins, check_ins_at
    from (
      select performed_at, week_start,
        row_number() over (partition by local_date order by performed_at, utc_offset_s) as nth
      from workout
      where user_id = of_user and group_id = of_group and counted
        and local_date between of_week - 1 and of_week + 7 and week_start <= of_week
    ) w
    where w.nth <= max_per_day and w.week_start = of_week;
  end if;
end $$
