-- Returns whether triggers fire in this session. Rows: one row with session_replication_role. If it is `replica`, writes
-- would record no events, without an error. Locks: none.
select pg_catalog.current_setting('session_replication_role')
