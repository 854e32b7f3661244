-- A template: a trigger goes that no job declares any more. Rows: none. Locks: the table, ACCESS EXCLUSIVE.
drop trigger if exists {function} on {table}
