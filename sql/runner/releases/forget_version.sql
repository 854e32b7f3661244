-- Deletes the versions of modules whose older functions, views and triggers a program is about to restore. Until the
-- restore is complete, no version counts as complete. $1: the modules. Rows: the number of deleted versions. Locks: the
-- deleted rows.
delete from schema_part where part = any ($1)
