-- Ends presences at the given time. The caller must have locked the presences, which must not have expired. Locks: the
-- visits of the presences. Index: presence_id.
create or replace function end_presences(
  ids bigint[], at timestamptz, by_source presence_source, counts_as_automatic boolean
) returns void
language plpgsql as $$
declare
  of_groups text[];
  of_users text[];
  ends timestamptz[];
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
  select array_agg(e.group_id::text), array_agg(e.user_id::text), array_agg(e.since)
  into of_groups, of_users, ends
  from ended e;
  perform end_visits(of_groups, of_users, ends);
end $$
