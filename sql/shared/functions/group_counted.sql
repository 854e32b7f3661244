-- Rejects any write of a member_count that differs from the number of current members.
create or replace function group_counted() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  if new.member_count <> (
    select count(*) from member m where m.group_id = new.id and m.left_at is null)
  then
    raise check_violation using
      message = format('group %s has another number of members than %s', quote_literal(new.id),
        new.member_count),
      hint = 'Nothing was written. The number follows from the members by itself.';
  end if;
  return null;
end $$
