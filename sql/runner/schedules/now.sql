-- Returns the domain time. Rows: one row with the time. Locks: none.
select domain_now()
