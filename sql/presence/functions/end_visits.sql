-- Ends open visits at the given instants, one visit per group and user. All visits are ended in one statement, so that
-- the statistics of their users are locked in order. Locks: the visits, their users' statistics. Index: visit_open.
create or replace function end_visits(of_groups text[], of_users text[], ends timestamptz[]) returns void
language plpgsql as $$
begin
  -- A command ends one visit, which is the most frequent case.
  if cardinality(of_groups) = 1 then
    update visit v set departure = ends[1]
    where v.group_id = of_groups[1] and v.user_id = of_users[1] and v.departure is null;
    return;
  end if;
  update visit v set departure = e.at
  from unnest(of_groups, of_users, ends) e (group_id, user_id, at)
  where v.group_id = e.group_id and v.user_id = e.user_id and v.departure is null;
end $$
