-- The template creates a trigger that a job declares. Rows: none. Locks: the table, SHARE ROW EXCLUSIVE.
create or replace trigger {function} after {operation} on {table}
referencing {transition}
for each statement execute function {function}()
