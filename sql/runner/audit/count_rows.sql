-- Counts the rows of the audit log, so that the check can report its progress. Rows: one row with the number. Locks:
-- none.
select count(*) from audit
