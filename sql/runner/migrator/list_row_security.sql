-- Returns the statements that enable and force row-level security for tables that lack it. Rows: the statements. Locks:
-- none. Tables that belong to extensions are ignored.
select pg_catalog.format('alter table %s enable row level security, force row level security', c.oid::regclass)
from pg_class c
where c.relnamespace = pg_catalog.current_schema()::regnamespace and c.relkind in ('r', 'p')
  and not (c.relrowsecurity and c.relforcerowsecurity)
  and not exists (
    select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
order by 1
