-- Vacuums and analyzes all tables, like the setup script of the raw side before its checkpoint. Rows: none. Locks: one
-- table after another, SHARE UPDATE EXCLUSIVE.
vacuum analyze
