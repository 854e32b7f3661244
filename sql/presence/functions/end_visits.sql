-- Ends open visits at the given times, one visit per group and user. If the clock was set back, a visit ends at its
-- arrival. One statement ends all visits, so that the users' statistics are locked in a fixed order. Locks: the visits,
-- and the statistics of their users. Index: visit_open.
create or replace function end_visits(of_groups text[], of_users text[], ends timestamptz[]) returns void
language plpgsql as $$
begin
  -- Most calls are commands, which end one visit.
  if cardinality(of_groups) = 1 then
    update visit v set departure = greatest(ends[1], v.arrival)
    where v.group_id = of_groups[1] and v.user_id = of_users[1] and v.departure is null;
    return;
  end if;
  update visit v set departure = greatest(e.at, v.arrival)
  from unnest(of_groups, of_users, ends) e (group_id, user_id, at)
  where v.group_id = e.group_id and v.user_id = e.user_id and v.departure is null;
end $$
