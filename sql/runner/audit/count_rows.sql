-- How many rows the audit has, for the progress of its check. Rows: one. Locks: none.
select count(*) from audit
