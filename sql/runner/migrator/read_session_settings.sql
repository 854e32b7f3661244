-- Returns the settings of this session that can prevent Baton from working. If session_replication_role is `replica`,
-- writes record no events and report no error. If restrict_nonsystem_relation_kind contains `view`, the session cannot
-- read Baton's views. Rows: one row with the values of both settings. The second value is null if the server does not
-- have restrict_nonsystem_relation_kind. Locks: none.
select pg_catalog.current_setting('session_replication_role'),
  pg_catalog.current_setting('restrict_nonsystem_relation_kind', true)
