-- Ensures that the recorded ends of the audit chain change only together with the chain's rows.
create or replace trigger audit_chain_changed before update on audit_chain
for each row execute function audit_chain_changed()
