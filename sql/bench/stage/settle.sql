-- Vacuums and analyzes all tables, as the setup of the raw side does before its checkpoint. Rows: none. Locks: one
-- table after the other, SHARE UPDATE EXCLUSIVE.
vacuum analyze
