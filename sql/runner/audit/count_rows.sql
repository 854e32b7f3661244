-- Counts the rows of the audit log, so that the verification can report progress. Rows: one row with the number of
-- audit rows. Locks: none.
select count(*) from audit
