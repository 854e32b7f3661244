-- Returns the database's encoding. Rows: one row with the encoding's name, such as UTF8. Locks: none.
select pg_catalog.current_setting('server_encoding')
