-- Reads the server's clock. Rows: one: the current instant. Locks: none.
select clock_timestamp()
