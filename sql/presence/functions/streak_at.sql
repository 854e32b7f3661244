-- How many dates in a row the run has that a date is in or behind. Index: visit_streak_pkey.
create or replace function streak_at(of_user text, day date) returns integer
language sql stable
return (
  select s.ends - s.begins + 1
  from visit_streak s
  where s.user_id = of_user and s.begins <= day
  order by s.begins desc
  limit 1
)
