-- Forgets the roles of the schema and the rights they had; what the parts say of access stays.
-- Rows: as many as there were. Locks: those rows.
with gone as (delete from access)
delete from access_object where object not like 'part %'
