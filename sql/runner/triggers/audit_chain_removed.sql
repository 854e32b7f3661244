-- Prevents the recorded ends of the audit chain from being deleted. Without the recorded ends, a check of the audit log
-- could not detect missing rows.
create or replace trigger audit_chain_removed before delete or truncate on audit_chain
for each statement execute function refuse_audit_change()
