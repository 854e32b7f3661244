-- Removes the stored roles of the schema and the rights they had. What the parts declare about access stays. Rows: as
-- many as there were. Locks: those rows.
with gone as (delete from access)
delete from access_object where object not like 'part %'
