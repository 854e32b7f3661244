-- A template: the view that holds the columns of a trigger's functions, which no dependency does: none of them
-- can be dropped. It asks of the table what they ask of its new rows, and so fails here, not in every write,
-- where that cannot be asked. Nobody reads it. Rows: none. Locks: itself; the table against other DDL.
drop view if exists {view};
create view {view} with (security_invoker = true) as
{events};
comment on view {view} is 'What the job {job} reads of the table {plain_table} when it is written'
