-- The statements that give each object of the schema its right owner: $2 for functions that run as their owner, $1 for
-- all others. Rows: statements, in order; none if all owners are right. Locks: none. Objects of extensions are left
-- alone.
with wanted (place, kind, name, has, wants) as (
  select 1, 'schema', quote_ident(nspname), nspowner, $1::text
  from pg_namespace where oid = current_schema()::regnamespace
  union all
  -- The owner of a table also becomes the owner of its columns' sequences, its indexes and its row type.
  select 2, case relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end,
    c.oid::regclass::text, relowner, $1::text
  from pg_class c
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'S')
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
  where typnamespace = current_schema()::regnamespace and (typtype in ('d', 'e') or typtype = 'c'
      and exists (select from pg_class c where c.oid = t.typrelid and c.relkind = 'c'))
    and not exists (
      select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e')
  union all
  select 4, 'routine', f.oid::regprocedure::text, proowner,
    case when prosecdef then $2::text else $1::text end
  from pg_proc f
  where pronamespace = current_schema()::regnamespace
    and not exists (
      select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = f.oid and d.deptype = 'e')
)
select format('alter %s %s owner to %I', kind, name, wants)
from wanted
where pg_get_userbyid(has) <> wants
order by place, name
