-- The template creates a view with the columns that a trigger's functions read. PostgreSQL refuses to drop a column
-- that a view reads, but does not check which columns functions read. The view selects new rows with the same query as
-- the functions of the trigger. If the table does not match the query, `migrate` fails because the view cannot be
-- created. Without the view, later writes to the table would fail instead. No code reads the view. Rows: none. Locks:
-- the view, and the table against other DDL.
drop view if exists {view};
create view {view} with (security_invoker = true) as
{events};
comment on view {view} is 'What the job {job} reads of the table {plain_table} when it is written'
