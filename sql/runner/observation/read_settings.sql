-- Reads server settings that affect the queue. $1: the names of the settings. The statement returns the values that a
-- new session of this login would have, and ignores changes within this transaction. Rows: the name, the value, and the
-- unit or an empty string. Locks: none.
select name, reset_val, coalesce(unit, '') from pg_settings where name = any ($1) order by name
