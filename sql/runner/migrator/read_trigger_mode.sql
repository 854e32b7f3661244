-- Returns whether triggers fire in this session. Rows: one row with session_replication_role. If this setting is `replica`,
-- writes record no events and report no error. Locks: none.
select pg_catalog.current_setting('session_replication_role')
