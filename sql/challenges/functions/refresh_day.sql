-- Derives one of a member's days from the ledger. If a day has no counted workouts, no row is stored for it.
create or replace function refresh_day(of_user text, of_group text, of_date date, of_week date) returns void
language plpgsql as $$
declare
  found_one record;
  earliest record;
  latest record;
  n integer := 0;
begin
  -- Each call to record_workout also calls this function. The function therefore reads the workouts of the day with a
  -- single statement. If two workouts have the same time, the workout with the smaller offset comes first.
  for found_one in
    select performed_at as at, utc_offset_s as offset_s from workout w
    where w.user_id = of_user and w.local_date = of_date and w.counted
      and w.group_id = of_group and w.week_start = of_week
    order by performed_at, utc_offset_s
  loop
    if n = 0 then
      earliest := found_one;
    end if;
    latest := found_one;
    n := n + 1;
  end loop;
  if n = 0 then
    delete from workout_day d
    where d.user_id = of_user and d.group_id = of_group and d.local_date = of_date
      and d.week_start = of_week;
    return;
  end if;
  insert into workout_day as d (user_id, group_id, local_date, week_start, workouts,
    first_at, first_offset_s, last_at, last_offset_s)
  values (of_user, of_group, of_date, of_week, n,
    earliest.at, earliest.offset_s, latest.at, latest.offset_s)
  on conflict (user_id, group_id, local_date, week_start) do update
  set workouts = excluded.workouts, first_at = excluded.first_at,
    first_offset_s = excluded.first_offset_s, last_at = excluded.last_at,
    last_offset_s = excluded.last_offset_s;
end $$
