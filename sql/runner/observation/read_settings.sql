-- The server settings that matter to a queue, as a session of this login begins: settings that this transaction changes
-- are ignored. $1 their names. Rows: name, value in its unit, unit ('': none). Locks: none.
select name, reset_val, coalesce(unit, '') from pg_settings where name = any ($1) order by name
