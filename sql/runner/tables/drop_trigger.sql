-- The template drops a trigger that jobs no longer declare. Rows: none. Locks: the table, ACCESS EXCLUSIVE.
drop trigger if exists {function} on {table}
