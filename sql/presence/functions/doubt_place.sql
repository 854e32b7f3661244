-- Returns the reason why a check-in's place is refused (`implausible` or `outside`), or null if the place is accepted.
-- A manual check-in does not need a position. The function and the client library apply the same rules. Index:
-- presence_user, groups_pkey.
create or replace function doubt_place(actor text, command presence_call, at timestamptz) returns text
language plpgsql as $$
declare
  last presence;
begin
  if command.latitude is null then
    return case command.source when 'automatic' then 'implausible' end;
  elsif command.accuracy > 200 or abs(extract(epoch from at - command.located_at)) > 120 then
    return 'implausible';
  end if;
  -- The user's last position in any group is used. The position of an expired presence is not used.
  select * into last
  from presence p
  where p.user_id = actor and p.latitude is not null and (over_at(p) > at) is not false
  order by p.located_at desc, p.id desc
  limit 1;
  -- The speed is in meters per second. Between two distinct places at the same instant, the speed is infinite.
  if metres_between(last.latitude, last.longitude, command.latitude, command.longitude)
    > 100 * abs(extract(epoch from command.located_at - last.located_at)) then
    return 'implausible';
  end if;
  return (
    select case when metres_to_group(g, command.latitude, command.longitude) > command.accuracy then 'outside' end
    from groups g
    where g.id = command.group_id);
end $$
