-- Reads the server's clock. Rows: one row with the current instant. Locks: none.
select clock_timestamp()
