-- Refuses to delete audit rows that are less than 400 days old, or to delete only some of a day's audit rows. Deleting
-- only some of a day's rows would break the hash chain. After a permitted deletion, the function stores the new
-- beginning of the chain.
create or replace function audit_deleted() returns trigger
language plpgsql set search_path from current as $$
declare
  newest constant date := (select max(day) from old_row);
begin
  if newest is null then
    return null;
  end if;
  if newest >= (pg_catalog.now() at time zone 'UTC')::date - 400 then
    raise exception 'the audit keeps 400 days, and % is one of them', to_char(newest::timestamp, 'YYYY-MM-DD')
      using errcode = 'ZB014', hint = 'Nothing was changed. What is older than 400 days goes by purge_audit.';
  elsif exists (select from audit where day <= newest) then
    raise exception 'the audit goes by whole days, the oldest first'
      using errcode = 'ZB014', hint = 'Nothing was changed. What is older than 400 days goes by purge_audit.';
  end if;
  update audit_chain
  set purged_hash = (select hash from old_row order by day desc, number desc limit 1);
  return null;
end $$
