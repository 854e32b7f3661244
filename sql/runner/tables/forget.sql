-- Deletes the record of a declared trigger. $1: the trigger's name. Rows: 1 affected row. Locks: the row.
delete from table_trigger where name = $1
