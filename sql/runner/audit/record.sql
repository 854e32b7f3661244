-- Appends a manual action to the audit. $1 action, $2 subject, $3 before, $4 after, $5 filter, $6 count; $2 to $5 are
-- JSON. Rows: one. Locks: the end of the chain until the transaction ends, so this statement comes last.
select record_audit($1, $2::text::jsonb, $3::text::jsonb, $4::text::jsonb, $5::text::jsonb, $6)
