-- Reads a checked condition as the server stores it, with the values of its constants. $1: the table that
-- check_condition has created. Rows: one text, which is empty for the condition `true`. Locks: none.
select coalesce(pg_catalog.pg_get_expr(i.indpred, i.indrelid), '')
from pg_catalog.pg_index i
where i.indrelid = $1::text::regclass
