-- Vacuums and analyzes all tables. The setup script of the plain SQL benchmark also vacuums and analyzes all tables
-- before the checkpoint. Rows: none. Locks: one table after another, SHARE UPDATE EXCLUSIVE.
vacuum analyze
