-- Counts the current members of groups, and stores each count in the group's row. The function locks the group's row
-- before the count, so that the count includes all committed membership changes.
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
