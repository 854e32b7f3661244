-- Reads server settings that affect the queue. $1: the names. The values are those at the start of a session of this
-- login, so changes within this transaction are ignored. Rows: name, value, unit or an empty text. Locks: none.
select name, reset_val, coalesce(unit, '') from pg_settings where name = any ($1) order by name
