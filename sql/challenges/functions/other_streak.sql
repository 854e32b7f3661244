-- Computes a member's streak for a week if the policy is not `peak`, or if clients report streaks. The caller must
-- first call refresh_week, which stores the streak of each day. If clients report streaks, `streak_at` is the time of
-- the report. Otherwise, `streak_at` is the time of the first workout on the day on which the streak first reached the
-- returned length.
create or replace function other_streak(
  of_user text, of_group text, of_week date, policy streak_policy, source streak_source,
  out streak integer, out streak_at timestamptz
) language plpgsql as $$
declare
  day workout_day;
  last_day workout_day;
  streak_here integer;
begin
  streak := 0;
  if source = 'reported' then
    select r.streak_days, r.reported_at into streak, streak_at
    from reported_streak r
    where r.user_id = of_user and r.group_id = of_group and r.week_start = of_week
    order by r.id desc
    limit 1;
    streak := coalesce(streak, 0);
  elsif policy = 'lastRun' then
    select d.streak, d.first_at into streak, streak_at
    from workout_day d
    where d.user_id = of_user and d.group_id = of_group
      and d.local_date between of_week - 1 and of_week + 7 and d.week_start = of_week
      and d.streak = (
        select l.streak from workout_day l
        where l.user_id = of_user and l.group_id = of_group
          and l.local_date between of_week - 1 and of_week + 7 and l.week_start = of_week
        order by l.local_date desc
        limit 1)
    order by d.local_date
    limit 1;
    streak := coalesce(streak, 0);
  else
    for day in
      select * from workout_day d
      where d.user_id = of_user and d.group_id = of_group
        and d.local_date between of_week - 1 and of_week + 7 and d.week_start = of_week
      order by d.local_date
    loop
      streak_here := case
        when day.local_date = last_day.local_date + 1
          or day.local_date = last_day.local_date + 2
            and day.first_at - last_day.last_at < interval '30 hours'
            and day.first_offset_s <> last_day.last_offset_s then streak_here + 1
        else 1
      end;
      -- The workouts of a UTC week can have more than seven local dates. A week's streak is limited to seven days.
      streak_here := least(streak_here, 7);
      if streak_here > streak then
        streak := streak_here;
        streak_at := day.first_at;
      end if;
      last_day := day;
    end loop;
  end if;
end $$
