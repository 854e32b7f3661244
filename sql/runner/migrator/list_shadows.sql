-- Lists functions, operators and casts in the schema $1 that PostgreSQL could prefer to its own. For example, a call to
-- format(text) with a name as an argument would execute the schema's function format(name), with the caller's
-- privileges. Before this statement, the caller must set search_path to pg_catalog. Rows: the object, and the statement
-- that drops it. Locks: none. Objects that belong to extensions are ignored.
with own as (
  select n.oid from pg_catalog.pg_namespace n where n.nspname = $1::pg_catalog.name
),
found (class, oid, object, statement) as (
  select 'pg_catalog.pg_proc'::pg_catalog.regclass, f.oid,
    'the function ' || f.oid::pg_catalog.regprocedure::text,
    'drop routine ' || f.oid::pg_catalog.regprocedure::text
  from own
  join pg_catalog.pg_proc f on f.pronamespace = own.oid
  where exists (
    select from pg_catalog.pg_proc p
    where p.proname = f.proname and p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace)
    -- If a function of the schema has the same parameter types as a function in pg_catalog, PostgreSQL calls the one in
    -- pg_catalog.
    and not exists (
      select from pg_catalog.pg_proc p
      where p.proname = f.proname and p.proargtypes = f.proargtypes
        and p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace)
  union all
  select 'pg_catalog.pg_operator'::pg_catalog.regclass, o.oid,
    'the operator ' || o.oid::pg_catalog.regoperator::text,
    'drop operator ' || o.oid::pg_catalog.regoperator::text
  from own
  join pg_catalog.pg_operator o on o.oprnamespace = own.oid
  where exists (
    select from pg_catalog.pg_operator p
    where p.oprname = o.oprname and p.oprnamespace = 'pg_catalog'::pg_catalog.regnamespace)
  union all
  select 'pg_catalog.pg_cast'::pg_catalog.regclass, c.oid,
    pg_catalog.format('the cast (%s as %s)', c.castsource::pg_catalog.regtype, c.casttarget::pg_catalog.regtype),
    pg_catalog.format('drop cast (%s as %s)', c.castsource::pg_catalog.regtype, c.casttarget::pg_catalog.regtype)
  from own
  join pg_catalog.pg_proc f on f.pronamespace = own.oid
  join pg_catalog.pg_cast c on c.castfunc = f.oid
)
select object, statement
from found f
where not exists (
  select from pg_catalog.pg_depend d where d.classid = f.class and d.objid = f.oid and d.deptype = 'e')
order by object
