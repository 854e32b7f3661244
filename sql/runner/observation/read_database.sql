-- Reads the state of the database. Rows: one row with the server's time and version, the database size in bytes, and
-- the number of sessions with invisible transactions. If the role cannot read the database size, the size is null.
-- Locks: none.
select now(), split_part(current_setting('server_version'), ' ', 1),
  case when has_database_privilege(current_database(), 'connect') then pg_database_size(current_database()) end,
  (select count(*) from pg_stat_activity
    where datname = current_database() and usesysid is not null and backend_start is null)
