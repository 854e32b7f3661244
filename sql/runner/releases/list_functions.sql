-- Lists the recorded functions of modules. $1: the module names. Rows: the name of each function. Locks: none.
select name from schema_object where kind = 'function' and part = any ($1) order by name
