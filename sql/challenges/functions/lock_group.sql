-- Locks a group so that no other call can change its members. Each call that changes members locks the group first. The
-- lock is not FOR UPDATE, because the first workout of a week inserts boards and would wait for FOR UPDATE.
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
