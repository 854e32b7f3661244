-- Removes the oldest day of the audit if it is more than 400 days ago by the server's clock. The age is not a setting:
-- an operator could lower it to remove the record of an own action. Returns how many rows were removed. It locks the
-- end of the chain first, as record_audit does: if two sessions purge together, the second finds the day removed.
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
