-- Adds new visits to their users' statistics. The function locks the users' statistics before it reads the visits, so
-- each group and each date counts as new only once. Index: user_stats_pkey, visit_user, presence_pkey.
create or replace function visit_began() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  arrived record;
  day date;
  streak integer;
begin
  perform hold_stats(array(select distinct r.user_id::text from changed_row r));
  -- A loop is cheaper for the usual case of one inserted row.
  for arrived in
    select r.user_id, r.group_id, array_agg(distinct r.local_date) as days, count(*) as visits,
      count(*) filter (where r.is_first) as firsts, max(stay_of(r.arrival, r.departure)) as stay
    from changed_row r
    group by r.user_id, r.group_id
  loop
    streak := 0;
    foreach day in array arrived.days loop
      streak := greatest(streak, join_streak(arrived.user_id, day));
    end loop;
    update user_stats s
    set check_ins = s.check_ins + arrived.visits,
      first_arrivals = s.first_arrivals + arrived.firsts,
      -- A group is new if the user has no other visit and no presence with a version above 1. Retention may have
      -- deleted earlier visits.
      groups_visited = s.groups_visited + (not exists (
        select from visit v
        where v.user_id = arrived.user_id and v.group_id = arrived.group_id
        offset arrived.visits) and not exists (
        select from presence p
        where p.group_id = arrived.group_id and p.user_id = arrived.user_id and p.version > 1))::integer,
      longest_streak = greatest(s.longest_streak, streak),
      longest_stay = greatest(s.longest_stay, arrived.stay)
    where s.user_id = arrived.user_id;
  end loop;
  return null;
end $$
