-- Locks a group against every other call that changes it or its members. Each call that changes a group or its
-- members takes this lock first.
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
