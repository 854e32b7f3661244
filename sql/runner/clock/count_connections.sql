-- How many other connections this server has. Rows: one. Locks: none.
select count(*) from pg_stat_activity
where backend_type = 'client backend' and pid <> pg_backend_pid()
