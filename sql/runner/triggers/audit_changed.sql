-- Prevents UPDATE and TRUNCATE on the audit log, which is append-only.
create or replace trigger audit_changed before update or truncate on audit
for each statement execute function refuse_audit_change()
