-- Lists the recorded views of modules. $1: the names of the modules. Rows: the name of each view. Locks: none.
select name from schema_object where kind = 'view' and part = any ($1) order by name
