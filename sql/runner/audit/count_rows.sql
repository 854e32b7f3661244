-- How many rows the audit has, for those who wait for its check. Rows: one. Locks: none.
select count(*) from audit
