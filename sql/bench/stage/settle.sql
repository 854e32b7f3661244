-- Vacuums and analyzes all tables, as the setup script of the plain SQL benchmark does before the checkpoint. Rows:
-- none. Locks: each table in turn, SHARE UPDATE EXCLUSIVE.
vacuum analyze
