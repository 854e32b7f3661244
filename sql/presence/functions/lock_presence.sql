-- Locks and returns a user's presence in a group. If the presence has expired, the function first ends it. If the user
-- has no presence in the group, all columns are null.
create or replace function lock_presence(of_user text, of_group text) returns presence
language plpgsql as $$
declare
  it presence;
begin
  select * into it from presence p where p.group_id = of_group and p.user_id = of_user for update;
  if over_at(it) <= domain_now() then
    perform settle_presences(array[it.id], domain_now());
    select * into it from presence p where p.id = it.id;
  end if;
  return it;
end $$
