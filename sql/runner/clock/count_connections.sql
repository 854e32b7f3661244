-- Counts the other client connections of this server. Rows: one row with the number. Locks: none.
select count(*) from pg_stat_activity
where backend_type = 'client backend' and pid <> pg_backend_pid()
