-- Lists the tables of the schema. Rows: the name, the quoted name, and whether the table is a partition. Locks: none.
-- Tables that belong to extensions are ignored.
select c.relname, pg_catalog.quote_ident(c.relname), c.relispartition
from pg_class c
where c.relnamespace = pg_catalog.current_schema()::regnamespace and c.relkind in ('r', 'p')
  and not exists (
    select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
order by 1
