-- Prepares a session for a migration that cannot run in a transaction, and sets search_path to $1. In later statements, a
-- backslash in a string has no special meaning. Rows: one row. Locks: none.
select pg_catalog.set_config('search_path', $1, false), pg_catalog.set_config('standard_conforming_strings', 'on', false)
