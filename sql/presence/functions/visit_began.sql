-- Counts new visits for their users. The lock is a statement of its own: whoever waited for another's visits then sees
-- them, so that a group or a date is new once. Index: user_stats_pkey, visit_user.
create or replace function visit_began() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  arrived record;
  day date;
  streak integer;
begin
  perform hold_stats(array(select distinct r.user_id::text from changed_row r));
  -- One row, as a rule: to loop is cheaper than one statement for any number.
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
      -- No visits of it but these.
      groups_visited = s.groups_visited + (not exists (
        select from visit v
        where v.user_id = arrived.user_id and v.group_id = arrived.group_id
        offset arrived.visits))::integer,
      longest_streak = greatest(s.longest_streak, streak),
      longest_stay = greatest(s.longest_stay, arrived.stay)
    where s.user_id = arrived.user_id;
  end loop;
  return null;
end $$
