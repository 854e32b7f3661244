-- Sets the function that the replace_function statement creates. $1: the function's name. $2: the statements that
-- create the function. Rows: one row. Locks: none.
select pg_catalog.set_config('baton.name', $1, true), pg_catalog.set_config('baton.statement', $2, true)
