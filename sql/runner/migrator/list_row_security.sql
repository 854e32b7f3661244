-- Returns the statements that enable and force row-level security for tables that lack it. Rows: the statements. Locks:
-- none.
select pg_catalog.format('alter table %s enable row level security, force row level security', c.oid::regclass)
from pg_class c
where c.relnamespace = pg_catalog.current_schema()::regnamespace and c.relkind in ('r', 'p')
  and not (c.relrowsecurity and c.relforcerowsecurity)
order by 1
