-- Lists the recorded views of modules. $1: the module names. Rows: the name of each view. Locks: none.
select name from schema_object where kind = 'view' and part = any ($1) order by name
