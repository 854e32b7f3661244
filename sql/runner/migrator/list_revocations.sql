-- Returns the statements that revoke all privileges on the schema and its objects. $1: the roles, separated by commas.
-- $2: the roles for functions, separated by commas. Rows: the statements. Locks: none. Objects that belong to
-- extensions are ignored, because REVOKE fails if the caller has no privilege on the object.
with object (place, kind, name, roles) as (
  select 1, 'schema', pg_catalog.quote_ident(pg_catalog.current_schema()), $1::text
  union all
  select case c.relkind when 'S' then 3 else 2 end, case c.relkind when 'S' then 'sequence' else 'table' end,
    c.oid::regclass::text, $1::text
  from pg_class c
  where c.relnamespace = pg_catalog.current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  union all
  select 4, 'routine', f.oid::regprocedure::text, $2::text
  from pg_proc f
  where f.pronamespace = pg_catalog.current_schema()::regnamespace
    and not exists (
      select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = f.oid and d.deptype = 'e')
)
select pg_catalog.format('revoke all on %s %s from %s', kind, pg_catalog.string_agg(name, ', ' order by name), roles)
from object
group by place, kind, roles
order by place
