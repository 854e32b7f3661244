-- Prevents the deletion of the row in audit_chain. The row contains the hashes at the beginning and at the end of the
-- audit log. Without these hashes, a check of the audit log could not detect that its first or last rows are missing.
create or replace trigger audit_chain_removed before delete or truncate on audit_chain
for each statement execute function refuse_audit_change()
