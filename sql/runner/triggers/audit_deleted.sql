-- Ensures that only whole days that are more than 400 days old are deleted from the audit log.
create or replace trigger audit_deleted after delete on audit
referencing old table as old_row
for each statement execute function audit_deleted()
