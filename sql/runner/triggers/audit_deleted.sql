-- Rows older than 400 days are removed by whole days only.
create or replace trigger audit_deleted after delete on audit
referencing old table as old_row
for each statement execute function audit_deleted()
