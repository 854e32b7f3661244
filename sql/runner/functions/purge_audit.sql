-- Deletes the oldest day of the audit log if that day is more than 400 days ago, and returns the number of deleted
-- rows. The 400-day age is not configurable, so that operators cannot delete the records of their own actions. The
-- function first locks the row of audit_chain. If two sessions purge concurrently, the second waits, and finds that the
-- day has already been deleted.
create or replace function purge_audit() returns bigint
language plpgsql security definer set search_path from current as $$
declare
  oldest constant date := (select min(day) from audit);
  removed bigint := 0;
begin
  if oldest < (pg_catalog.now() at time zone 'UTC')::date - 400 then
    perform from audit_chain for update;
    delete from audit where day = oldest;
    get diagnostics removed = row_count;
  end if;
  return removed;
end $$
