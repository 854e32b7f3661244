-- Ends presences now; the caller holds them, and their time is not over. Locks: their visits. Index: presence_id,
-- visit_open.
create or replace function end_presences(
  ids bigint[], at timestamptz, by_source presence_source, counts_as_automatic boolean
) returns void
language plpgsql as $$
begin
  with ended as (
    update presence p
    set is_present = false, source = by_source, version = p.version + 1,
      since = greatest(at, p.changed_at), changed_at = greatest(at, p.changed_at),
      automatic_at = case when counts_as_automatic then greatest(at, p.changed_at) else p.automatic_at end,
      deadline = null, latitude = null, longitude = null, accuracy = null, located_at = null
    where p.id = any (ids) and p.is_present
    returning p.group_id, p.user_id, p.since
  )
  update visit v set departure = e.since
  from ended e
  where v.group_id = e.group_id and v.user_id = e.user_id and v.departure is null;
end $$
