-- Puts a date into a user's runs, in any order: it makes one, makes one longer, or closes the gap between two. The
-- caller holds the user's numbers.
create or replace function join_streak(of_user text, day date) returns void
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
    return;
  end if;
  delete from visit_streak s where s.user_id = of_user and s.begins = day + 1 returning s.ends into last_day;
  if before.ends = day - 1 then
    update visit_streak s set ends = coalesce(last_day, day)
    where s.user_id = of_user and s.begins = before.begins;
  else
    insert into visit_streak (user_id, begins, ends) values (of_user, day, coalesce(last_day, day));
  end if;
end $$
