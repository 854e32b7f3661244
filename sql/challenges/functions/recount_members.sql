-- Recounts the members of a group, for repairs by a role that may not write groups. Locks: the group's row.
-- needs: count_members
create or replace function recount_members(of_group text) returns void
language sql security definer set search_path from current as $$
select count_members(array[of_group])
$$
