-- Returns the number of concurrent runs that an operator allows a group: 0 if the group is paused, or null if the limit
-- for all groups applies. Claims of many groups use the group_room fragment, because the planner does not inline the
-- function. Locks: none. Index: group_limit_pkey.
create or replace function group_cap(of_job text, of_group text) returns integer
language sql stable
return (
  select case when g.paused_at is not null then 0 else g.concurrency end
  from group_limit g
  where g.job = of_job and g.group_key = of_group);
