-- Without its ends nobody could see that rows are missing there.
create or replace trigger audit_chain_removed before delete or truncate on audit_chain
for each statement execute function refuse_audit_change()
