-- Counts the current members of groups, and stores each count in the group's row. The function locks the group's row
-- before the count, so that the count includes all committed membership changes.
create or replace function member_written() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  written text[] := array(select distinct r.group_id::text from changed_row r);
begin
  perform from groups g where g.id = any (written) order by g.id for no key update;
  update groups g
  set member_count = c.members, version = g.version + 1
  from (
    select m.id, (
      select count(*)::integer from member n where n.group_id = m.id and n.left_at is null) as members
    from unnest(written) m (id)
  ) c
  where g.id = c.id and g.member_count <> c.members;
  return null;
end $$
