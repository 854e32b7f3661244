-- The recorded ends of the chain change only together with its rows.
create or replace trigger audit_chain_changed before update on audit_chain
for each row execute function audit_chain_changed()
