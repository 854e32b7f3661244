-- Adds a date to a user's streaks of consecutive dates. Dates may be added in any order. The function creates a streak,
-- extends a streak, or joins two streaks. Returns the length of the resulting streak, or 0 if a streak already contains
-- the date. The caller must have locked the user's statistics. Index: visit_streak_pkey.
create or replace function join_streak(of_user text, day date) returns integer
language plpgsql as $$
declare
  before visit_streak;
  last_day date;
begin
  select * into before from visit_streak s
  where s.user_id = of_user and s.begins <= day
  order by s.begins desc
  limit 1;
  if before.ends >= day then
    return 0;
  end if;
  delete from visit_streak s where s.user_id = of_user and s.begins = day + 1 returning s.ends into last_day;
  last_day := coalesce(last_day, day);
  if before.ends = day - 1 then
    update visit_streak s set ends = last_day where s.user_id = of_user and s.begins = before.begins;
    return last_day - before.begins + 1;
  end if;
  insert into visit_streak (user_id, begins, ends) values (of_user, day, last_day);
  return last_day - day + 1;
end $$
