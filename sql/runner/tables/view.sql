-- A template: a view that reads the columns that a trigger's functions read, so that these columns cannot be dropped;
-- PostgreSQL records no such dependency for functions. Its query is the functions' query of the new rows: if the table
-- does not fit it, `migrate` fails here, not every later write. No code reads the view. Rows: none. Locks: itself; the
-- table against other DDL.
drop view if exists {view};
create view {view} with (security_invoker = true) as
{events};
comment on view {view} is 'What the job {job} reads of the table {plain_table} when it is written'
