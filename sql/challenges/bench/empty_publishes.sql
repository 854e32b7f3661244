-- Empties the tables of note_publishes. Rows: none. Locks: those tables, ACCESS EXCLUSIVE.
truncate published, publishing, publish_commit
