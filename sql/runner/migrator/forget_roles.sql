-- Deletes the stored prefix of the schema's roles and the stored privileges of these roles. The access declarations of
-- the schema modules remain. Rows: the number of deleted rows of access_object. Locks: the deleted rows.
with gone as (delete from access)
delete from access_object where object not like 'part %'
