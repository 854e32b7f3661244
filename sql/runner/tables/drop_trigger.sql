-- A template: drops a trigger that no job declares any more. Rows: none. Locks: the table, ACCESS EXCLUSIVE.
drop trigger if exists {function} on {table}
