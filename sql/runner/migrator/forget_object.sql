-- Records that a function, view or trigger was removed. $1 kind, $2 name. Rows: 1. Locks: the row.
delete from schema_object where (kind, name) = ($1, $2)
