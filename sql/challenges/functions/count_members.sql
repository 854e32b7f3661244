-- Counts the current members of groups, and stores each count in the group's row. The group's row, which also contains
-- the maximum number of members, is locked by a separate statement. A transaction that waited for the lock on the
-- group's row therefore also takes into account the members that the previous holder of the lock added or removed.
create or replace function count_members(of_groups text[]) returns void
language plpgsql as $$
begin
  perform from groups g where g.id = any (of_groups) order by g.id for no key update;
  update groups g
  set member_count = c.members
  from (
    select n.id, (
        select count(*) from member m where m.group_id = n.id and m.left_at is null)::integer as members
    from unnest(of_groups) n (id)
  ) c
  where g.id = c.id and g.member_count <> c.members;
end $$
