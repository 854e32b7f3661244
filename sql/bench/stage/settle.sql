-- Vacuums and analyzes all tables. Rows: none. Locks: each table in turn, SHARE UPDATE EXCLUSIVE.
vacuum analyze
