-- Locks a group against every other call that changes its members. It is the first lock of each of them. The lock is
-- not FOR UPDATE, because the first workout of a week would wait for that: its boards refer to the group.
create or replace function lock_group(of_group text) returns groups
language plpgsql as $$
declare
  it groups;
begin
  select * into it from groups g where g.id = of_group for no key update;
  if it.id is null then
    perform refuse_group(of_group);
  end if;
  return it;
end $$
