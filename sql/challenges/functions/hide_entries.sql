-- Hides one member's entries on a group's open boards, or shows them again. If a close has locked the boards, the
-- function waits and does not change closed boards. Members are not notified of rank changes that result from hidden or
-- shown entries (docs/gymrats/groups.md).
create or replace function hide_entries(of_group text, of_user text, are_hidden boolean) returns void
language plpgsql as $$
declare
  boards constant uuid[] := array(
    select c.id from challenge c
    where c.group_id = of_group and c.state = 'open'
    order by c.week_start, c.type
    for key share);
begin
  update entry e
  set hidden = are_hidden
  where e.challenge_id = any (boards) and e.user_id = of_user and e.hidden <> are_hidden;
end $$
