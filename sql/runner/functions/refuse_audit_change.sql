-- Rejects UPDATE and TRUNCATE on the audit log, and every deletion of the recorded ends of the hash chain, even by the
-- table's owner.
create or replace function refuse_audit_change() returns trigger
language plpgsql as $$
begin
  raise exception '% of % is refused: the audit is only appended to', tg_op, tg_table_name
    using errcode = 'ZB014', hint = 'Nothing was changed. What is older than 400 days goes by purge_audit.';
end $$
