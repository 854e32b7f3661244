-- What the raw side's setup does before its checkpoint. Rows: none. Locks: all tables, SHARE UPDATE
-- EXCLUSIVE, one after the other.
vacuum analyze
