-- Counts the client connections to this server, except the connection of this session. Rows: one row with the number of
-- connections. Locks: none.
select count(*) from pg_stat_activity
where backend_type = 'client backend' and pid <> pg_backend_pid()
