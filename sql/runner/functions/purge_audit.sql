-- Removes the oldest day of the audit if it is more than 400 days ago by the server's clock; the age is no
-- setting, or it would be the way to be rid of what one did. Returns how many rows. The end of the chain first,
-- as whoever appends: of two that purge at once the second finds the day gone.
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
