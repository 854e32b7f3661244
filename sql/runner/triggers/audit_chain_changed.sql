-- The ends of the chain move with its rows alone.
create or replace trigger audit_chain_changed before update on audit_chain
for each row execute function audit_chain_changed()
