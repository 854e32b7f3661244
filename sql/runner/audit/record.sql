-- Appends a manual action to the audit log. $1: the action. $2: the subject. $3: the state before the action. $4: the
-- state after the action. $5: the filter. $6: the count. $2 to $5 are JSON. Rows: one empty row. Locks: the row in
-- audit_chain, until the transaction ends. The statement must be the last one in the transaction.
select record_audit($1, $2::text::jsonb, $3::text::jsonb, $4::text::jsonb, $5::text::jsonb, $6)
