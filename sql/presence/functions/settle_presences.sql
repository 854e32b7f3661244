-- Ends presences whose time is over, as of that time: whoever comes first, a command or a job, and however late, comes to
-- the same. By a deadline the user left then; of who was not heard of any more, when they were heard of last.
-- Locks: presences in order of id, then their visits. Rows: how many ended. Index: presence_id, visit_open.
create or replace function settle_presences(ids bigint[], at timestamptz) returns integer
language plpgsql as $$
declare
  held bigint[] := array(
    select p.id from presence p where p.id = any (ids) and over_at(p) <= at order by p.id for update);
begin
  with ended as (
    update presence p
    set is_present = false, source = 'automatic', version = p.version + 1, changed_at = over_at(p),
      since = case when p.deadline = over_at(p) then p.deadline else p.heard_at end,
      automatic_at = over_at(p), deadline = null, latitude = null, longitude = null, accuracy = null,
      located_at = null
    where p.id = any (held)
    returning p.group_id, p.user_id, p.since
  )
  update visit v set departure = e.since
  from ended e
  where v.group_id = e.group_id and v.user_id = e.user_id and v.departure is null;
  return cardinality(held);
end $$
