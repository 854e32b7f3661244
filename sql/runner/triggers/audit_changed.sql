-- Rows of the audit are only appended.
create or replace trigger audit_changed before update or truncate on audit
for each statement execute function refuse_audit_change()
