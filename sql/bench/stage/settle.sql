-- Vacuums and analyzes, as the setup of the raw side does before its checkpoint. Rows: none. Locks: all tables, SHARE
-- UPDATE EXCLUSIVE, one after the other.
vacuum analyze
