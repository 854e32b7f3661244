-- Lists the schemas of this database that contain Baton's tables and that the caller may use. Rows: the names. Locks:
-- none.
select n.nspname::text
from pg_namespace n
where pg_catalog.has_schema_privilege(n.oid, 'usage')
  and (
    select pg_catalog.count(*) from pg_class c
    where c.relnamespace = n.oid and c.relkind = 'r' and c.relname in ('schema_part', 'schema_object', 'job', 'run')
  ) = 4
order by n.nspname
