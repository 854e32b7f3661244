-- Forgets what note_publishes has noted. Rows: none. Locks: those tables, ACCESS EXCLUSIVE.
truncate published, publishing, publish_commit
