-- Rejects changes to the recorded ends of the audit chain, with two exceptions. The recorded end may move to the next
-- row of the chain, and the recorded beginning may move to the oldest remaining row.
create or replace function audit_chain_changed() returns trigger
language plpgsql set search_path from current as $$
begin
  if (new.last_day, new.last_number, new.last_hash)
      is not distinct from (old.last_day, old.last_number, old.last_hash) then
    if new.purged_hash = coalesce(
      (select previous from audit order by day, number limit 1), new.last_hash) then
      return new;
    end if;
  elsif new.purged_hash = old.purged_hash and exists (
    select from audit a
    where (a.day, a.number, a.hash, a.previous)
      = (new.last_day, new.last_number, new.last_hash, old.last_hash)) then
    return new;
  end if;
  raise exception 'the chain of the audit is only gone on with'
    using errcode = 'ZB014', hint = 'Nothing was changed. Rows are appended by record_audit.';
end $$
