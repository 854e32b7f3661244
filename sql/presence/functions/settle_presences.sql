-- Ends expired presences. Each presence ends at its expiry time, not at the time of the call. If the deadline has
-- passed, the departure time is the deadline. If the device has stopped reporting, the departure time is the time of
-- the last report. Rows: the number of ended presences. Locks: the presences in order of id, then their visits. Index:
-- presence_id.
create or replace function settle_presences(ids bigint[], at timestamptz) returns integer
language plpgsql as $$
declare
  held bigint[] := array(
    select p.id from presence p where p.id = any (ids) and over_at(p) <= at order by p.id for update);
  of_groups text[];
  of_users text[];
  ends timestamptz[];
begin
  if held = '{}' then
    return 0;
  end if;
  with ended as (
    update presence p
    set is_present = false, source = 'automatic', version = p.version + 1, changed_at = over_at(p),
      since = case when p.deadline = over_at(p) then p.deadline else p.heard_at end,
      automatic_at = over_at(p), deadline = null, latitude = null, longitude = null, accuracy = null,
      located_at = null
    where p.id = any (held)
    returning p.group_id, p.user_id, p.since
  )
  select array_agg(e.group_id::text), array_agg(e.user_id::text), array_agg(e.since)
  into of_groups, of_users, ends
  from ended e;
  perform end_visits(of_groups, of_users, ends);
  return cardinality(held);
end $$
