-- Recomputes a user's statistics from all visits. The number of messages is not recomputed, because messages are not
-- stored for as long as visits. Index: visit_user.
create or replace function count_stats(of_user text) returns void
language plpgsql as $$
begin
  perform hold_stats(array[of_user]);
  delete from visit_streak s where s.user_id = of_user;
  -- In a run of consecutive dates, the date minus its rank is the same for each date.
  insert into visit_streak (user_id, begins, ends)
  select of_user, min(d.day), max(d.day)
  from (
    select v.local_date as day, v.local_date - dense_rank() over (order by v.local_date)::integer as run
    from visit v
    where v.user_id = of_user
  ) d
  group by d.run;
  update user_stats s
  set check_ins = c.visits, first_arrivals = c.firsts, groups_visited = c.groups, longest_stay = c.stay,
    longest_streak = c.streak
  from (
    select count(*) as visits, count(*) filter (where v.is_first) as firsts, count(distinct v.group_id) as groups,
      coalesce(max(stay_of(v.arrival, v.departure)), 0) as stay,
      (select coalesce(max(t.ends - t.begins) + 1, 0) from visit_streak t where t.user_id = of_user) as streak
    from visit v
    where v.user_id = of_user
  ) c
  where s.user_id = of_user;
end $$
