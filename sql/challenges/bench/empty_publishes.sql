-- Truncates the tables that note_publishes creates. Rows: none. Locks: the truncated tables, ACCESS EXCLUSIVE.
truncate published, publishing, publish_commit
