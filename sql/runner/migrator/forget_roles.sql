-- Forgets the roles of the schema and the rights they had. Rows: as many as there were. Locks: those rows.
with gone as (delete from access)
delete from access_object
