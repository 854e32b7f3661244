-- Truncates the tables that note_publishes creates. Rows: none. Locks: those tables, ACCESS EXCLUSIVE.
truncate published, publishing, publish_commit
