-- Ensures that only one migrator changes the schema $1, for several transactions. The statement sets search_path to $2.
-- In later statements, a backslash in a string has no special meaning. Rows: one row. Locks: an advisory lock until
-- unlock_session or the end of the session.
select pg_advisory_lock(hashtextextended('baton migrate ' || $1, 0))::text,
  set_config('search_path', $2, false), set_config('standard_conforming_strings', 'on', false)
