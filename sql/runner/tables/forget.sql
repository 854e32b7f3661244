-- Records that the trigger of a declaration was removed. $1 its name. Rows: 1. Locks: the row.
delete from table_trigger where name = $1
