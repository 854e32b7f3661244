-- What is older than 400 days goes, by whole days.
create or replace trigger audit_deleted after delete on audit
referencing old table as old_row
for each statement execute function audit_deleted()
