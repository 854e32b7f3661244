-- The database. Rows: one: the server's time, its version, the size in bytes (null: this role may not read it),
-- sessions of the database whose transactions this role may not see. Locks: none.
select now(), split_part(current_setting('server_version'), ' ', 1),
  case when has_database_privilege(current_database(), 'connect') then pg_database_size(current_database()) end,
  (select count(*) from pg_stat_activity
    where datname = current_database() and usesysid is not null and backend_start is null)
