-- Deletes the record of a dropped function, view or trigger. $1: the object's kind. $2: the object's name. Rows: 1
-- affected row. Locks: the row.
delete from schema_object where (kind, name) = ($1, $2)
