-- Deletes the stored versions of modules before a program restores older functions, views and triggers. Until all older
-- objects are restored, no version of the modules counts as complete. $1: the module names. Rows: one row with the
-- number of deleted versions. Locks: the deleted rows.
delete from schema_part where part = any ($1)
