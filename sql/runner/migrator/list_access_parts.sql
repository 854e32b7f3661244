-- Lists the access declarations of each schema module, as stored by the last program that contained the module. Rows:
-- the module, and the module's declarations. Locks: none.
select pg_catalog.substr(object, pg_catalog.length('part ') + 1), made_by from access_object where object like 'part %'
order by 1
