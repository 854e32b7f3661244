-- Ends the presences of users who have left the group. The statement that fires the trigger has locked the user's row
-- in `member`, so no concurrent check-in is possible.
create or replace function member_out() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  at constant timestamptz := domain_now();
  gone bigint[] := array(
    select p.id
    from presence p
    join changed_row r on r.group_id = p.group_id and r.user_id = p.user_id
    where p.is_present and not exists (
      select from member m where m.group_id = p.group_id and m.user_id = p.user_id and m.left_at is null)
    order by p.id
    for update of p);
begin
  if gone <> '{}' then
    perform settle_presences(gone, at);
    perform end_presences(gone, at, 'automatic', false);
  end if;
  return null;
end $$
