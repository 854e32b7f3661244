-- Counts new visits for their users. The lock is a statement of its own: whoever waited for another's visits then sees
-- them, so that a group or a date is new once.
create or replace function visit_began() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  arrived record;
begin
  perform hold_stats(array(select distinct r.user_id::text from changed_row r));
  for arrived in select distinct r.user_id, r.local_date from changed_row r loop
    perform join_streak(arrived.user_id, arrived.local_date);
  end loop;
  update user_stats s
  set check_ins = s.check_ins + c.visits,
    first_arrivals = s.first_arrivals + c.firsts,
    groups_visited = s.groups_visited + c.new_groups,
    longest_streak = greatest(s.longest_streak, c.streak),
    longest_stay = greatest(s.longest_stay, c.stay)
  from (
    select g.user_id, sum(g.visits) as visits, sum(g.firsts) as firsts, max(g.streak) as streak, max(g.stay) as stay,
      -- No visits of it but these.
      count(*) filter (where not exists (
        select from visit v
        where v.user_id = g.user_id and v.group_id = g.group_id
        offset g.visits)) as new_groups
    from (
      select r.user_id, r.group_id, count(*) as visits, count(*) filter (where r.is_first) as firsts,
        max(streak_at(r.user_id, r.local_date)) as streak, max(stay_of(r.arrival, r.departure)) as stay
      from changed_row r
      group by r.user_id, r.group_id
    ) g
    group by g.user_id
  ) c
  where s.user_id = c.user_id;
  return null;
end $$
