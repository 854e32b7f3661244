-- Writes the presence for an accepted check-in. The `it` parameter is the user's current presence, or a row of nulls if
-- the user has no presence. The caller must have locked the presence and the user's row in `member`, so no other call
-- can write the presence. A manual check-in during an automatic presence continues the automatic presence. Locks: the
-- presence, the date's first arrival, and the visit. Index: presence_id, first_arrival_pkey.
create or replace function begin_presence(actor text, command presence_call, it presence, at timestamptz)
returns presence
language plpgsql as $$
declare
  due constant timestamptz := at + make_interval(secs => command.stay);
  -- If a run is already scheduled before the deadline, the job schedules the next run at the deadline.
  armed constant timestamptz := case
    when due is null or it.armed_at > at and it.armed_at <= due then it.armed_at else due end;
  noticed_at constant timestamptz := case command.source when 'automatic' then at end;
  there presence;
begin
  if it.id is null then
    insert into presence (group_id, user_id, is_present, source, since, deadline, version, changed_at,
      automatic_at, heard_at, armed_at, latitude, longitude, accuracy, located_at)
    values (command.group_id, actor, true, command.source::presence_source, at, due, 1, at, noticed_at, at, armed,
      command.latitude, command.longitude, command.accuracy, command.located_at)
    returning * into there;
  else
    update presence p
    set is_present = true, source = command.source::presence_source, deadline = due, version = p.version + 1,
      since = case when p.is_present then p.since else at end, changed_at = at,
      automatic_at = coalesce(noticed_at, p.automatic_at), heard_at = coalesce(noticed_at, p.heard_at),
      armed_at = armed,
      latitude = coalesce(command.latitude, p.latitude), longitude = coalesce(command.longitude, p.longitude),
      accuracy = coalesce(command.accuracy, p.accuracy), located_at = coalesce(command.located_at, p.located_at)
    where p.id = it.id
    returning p.* into there;
  end if;
  if it.is_present is not true then
    perform begin_visit(there);
  end if;
  if armed is distinct from it.armed_at then
    perform enqueue('auto-check-out', there.id::text, run_at => armed);
  end if;
  return there;
end $$
