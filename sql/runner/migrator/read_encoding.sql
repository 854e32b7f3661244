-- Returns the encoding of the database. Rows: one row with the name of the encoding, such as UTF8. Locks: none.
select pg_catalog.current_setting('server_encoding')
