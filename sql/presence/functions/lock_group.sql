-- Locks a group against every other call that changes it or its members, and returns null columns if the group does
-- not exist. Each call that changes a group or its members takes this lock first. The function refuses nothing: the
-- caller refuses a missing group where it refuses a private one, so that not even the CONTEXT of the error differs.
create or replace function lock_group(of_group text) returns groups
language plpgsql as $$
declare
  it groups;
begin
  select * into it from groups g where g.id = of_group for no key update;
  return it;
end $$
