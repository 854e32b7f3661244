-- Locks and returns a group, or returns null columns if the group does not exist. Each call that changes a group or its
-- members locks the group first. The function does not raise an error for a missing group. The caller refuses missing
-- and private groups in one line of code, so that both errors have the same CONTEXT.
create or replace function lock_group(of_group text) returns groups
language plpgsql as $$
declare
  it groups;
begin
  select * into it from groups g where g.id = of_group for no key update;
  return it;
end $$
