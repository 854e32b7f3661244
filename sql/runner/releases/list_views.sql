-- Lists the recorded views of modules. $1 contains the modules. Rows: the name. Locks: none.
select name from schema_object where kind = 'view' and part = any ($1) order by name
