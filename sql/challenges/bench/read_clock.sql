-- The server's clock. Rows: one. Locks: none.
select clock_timestamp()
