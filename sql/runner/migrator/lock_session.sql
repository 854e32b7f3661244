-- Serialises migrators of the schema $1 for longer than a transaction. Sets $2 as search_path, and makes a backslash in
-- a text a plain character. Rows: one. Locks: an advisory lock until it is unlocked or the session ends.
select pg_advisory_lock(hashtextextended('baton migrate ' || $1, 0))::text,
  set_config('search_path', $2, false), set_config('standard_conforming_strings', 'on', false)
