-- Returns the statements that drop the schema's policies and disable row-level security for its tables. Rows: the
-- statements. Locks: none.
select pg_catalog.format('drop policy %I on %s', p.polname, p.polrelid::regclass)
from pg_policy p
join pg_class c on c.oid = p.polrelid
where c.relnamespace = pg_catalog.current_schema()::regnamespace
union all
select pg_catalog.format('alter table %s disable row level security, no force row level security', c.oid::regclass)
from pg_class c
where c.relnamespace = pg_catalog.current_schema()::regnamespace and c.relkind in ('r', 'p')
  and (c.relrowsecurity or c.relforcerowsecurity)
