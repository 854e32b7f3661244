-- Deletes the oldest day of the audit log if that day is more than 400 days ago. Rows: one row with the number of
-- deleted rows. Locks: the row in audit_chain (if the day is old enough), and the deleted rows. Index: audit_pkey.
select purge_audit()
