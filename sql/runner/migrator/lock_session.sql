-- Serialises migrators of the schema $1 beyond a transaction, and lets bare names resolve in $2 and a backslash be
-- one.
-- Rows: one. Locks: an advisory lock until it is unlocked or the session ends.
select pg_advisory_lock(hashtextextended('baton migrate ' || $1, 0))::text,
  set_config('search_path', $2, false), set_config('standard_conforming_strings', 'on', false)
