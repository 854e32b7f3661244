-- Prevents UPDATE and TRUNCATE of the audit log, to which rows are only appended.
create or replace trigger audit_changed before update or truncate on audit
for each statement execute function refuse_audit_change()
