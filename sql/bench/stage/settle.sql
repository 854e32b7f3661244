-- Vacuums and analyzes all tables, as the setup script of the plain SQL benchmark does before the checkpoint. Rows:
-- none. Locks: one table after another, SHARE UPDATE EXCLUSIVE.
vacuum analyze
