-- Reads the server's clock. Rows: one row with the current time. Locks: none.
select clock_timestamp()
