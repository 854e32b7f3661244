-- Makes a presence of an accepted check-in; `it` is the user's presence so far, held, or all null. One that was
-- automatic goes on as one by hand. Locks: the presence, the first arrival of the date, the visit.
-- Index: presence_pkey, first_arrival_pkey.
create or replace function begin_presence(actor text, command presence_call, it presence, at timestamptz)
returns presence
language plpgsql as $$
declare
  due constant timestamptz := at + make_interval(secs => command.stay);
  -- A run that comes no later than the deadline arms the next one.
  armed constant timestamptz := case
    when due is null or it.armed_at > at and it.armed_at <= due then it.armed_at else due end;
  noticed_at constant timestamptz := case command.source when 'automatic' then at end;
  there presence;
begin
  insert into presence as p (group_id, user_id, is_present, source, since, deadline, version, changed_at,
    automatic_at, heard_at, armed_at, latitude, longitude, accuracy, located_at)
  values (command.group_id, actor, true, command.source::presence_source, at, due, 1, at, noticed_at, at, armed,
    command.latitude, command.longitude, command.accuracy, command.located_at)
  on conflict (group_id, user_id) do update
  set is_present = true, source = excluded.source, deadline = excluded.deadline, version = p.version + 1,
    since = case when p.is_present then p.since else excluded.since end, changed_at = excluded.changed_at,
    automatic_at = coalesce(excluded.automatic_at, p.automatic_at),
    heard_at = coalesce(excluded.automatic_at, p.heard_at), armed_at = excluded.armed_at,
    latitude = coalesce(excluded.latitude, p.latitude), longitude = coalesce(excluded.longitude, p.longitude),
    accuracy = coalesce(excluded.accuracy, p.accuracy), located_at = coalesce(excluded.located_at, p.located_at)
  returning p.* into there;
  if it.is_present is not true then
    perform begin_visit(there);
  end if;
  if armed is distinct from it.armed_at then
    perform enqueue('auto-check-out', there.id::text, run_at => armed);
  end if;
  return there;
end $$
