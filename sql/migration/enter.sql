-- Serialises migrators of one schema and makes the schema. $1 the schema. Rows: one.
-- Locks: an advisory lock until the end of the transaction; it works behind a pooler too.
select pg_advisory_xact_lock(hashtextextended('baton migrate ' || $1, 0)),
  set_config('baton.schema', $1, true)
