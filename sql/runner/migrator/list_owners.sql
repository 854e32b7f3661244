-- Returns the statements that set the owners of the schema's objects. $1: the owner of all objects except SECURITY
-- DEFINER functions. $2: the owner of SECURITY DEFINER functions. Rows: the statements, in the order of execution, or
-- no rows if all owners are already correct. Locks: none. Objects that belong to extensions are ignored.
with wanted (place, kind, name, has, wants) as (
  select 1, 'schema', pg_catalog.quote_ident(nspname), nspowner, $1::text
  from pg_namespace where oid = pg_catalog.current_schema()::regnamespace
  union all
  -- The owner of a table also owns its indexes, its row type and the sequences of its columns.
  select 2, case relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end,
    c.oid::regclass::text, relowner, $1::text
  from pg_class c
  where relnamespace = pg_catalog.current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'S')
    and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
        and d.deptype in ('e', 'i', 'a') and d.refclassid <> 'pg_namespace'::regclass
        and relkind = 'S')
    and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  union all
  select 3, case typtype when 'd' then 'domain' else 'type' end, t.oid::regtype::text, typowner,
    $1::text
  from pg_type t
  where typnamespace = pg_catalog.current_schema()::regnamespace and (typtype in ('d', 'e') or typtype = 'c'
      and exists (select from pg_class c where c.oid = t.typrelid and c.relkind = 'c'))
    and not exists (
      select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e')
  union all
  select 4, 'routine', f.oid::regprocedure::text, proowner,
    case when prosecdef then $2::text else $1::text end
  from pg_proc f
  where pronamespace = pg_catalog.current_schema()::regnamespace
    and not exists (
      select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = f.oid and d.deptype = 'e')
)
select pg_catalog.format('alter %s %s owner to %I', kind, name, wants)
from wanted
where pg_catalog.pg_get_userbyid(has) <> wants
order by place, name
