-- Lists the roles that were granted privileges in a schema without roles, except the owners of the objects and the API
-- role $1. Rows: the role, the number of functions that the role may execute, and the tables, views and sequences on
-- which it has privileges. Locks: none. The statement ignores objects that belong to extensions, and privileges that a
-- role has as a member of other roles.
with granted (class, object, relation, owner, acl) as (
  select 'pg_proc'::regclass, f.oid, null::text, f.proowner, f.proacl
  from pg_proc f where f.pronamespace = pg_catalog.current_schema()::regnamespace
  union all
  select 'pg_class'::regclass, c.oid, c.relname::text, c.relowner, c.relacl
  from pg_class c where c.relnamespace = pg_catalog.current_schema()::regnamespace
  union all
  select 'pg_class'::regclass, c.oid, c.relname::text, c.relowner, t.attacl
  from pg_class c join pg_attribute t on t.attrelid = c.oid and not t.attisdropped
  where c.relnamespace = pg_catalog.current_schema()::regnamespace
)
select r.rolname::text, pg_catalog.count(distinct g.object) filter (where g.relation is null),
  coalesce(pg_catalog.string_agg(distinct g.relation, ', ' order by g.relation), '')
from granted g, pg_catalog.aclexplode(g.acl) a
join pg_roles r on r.oid = a.grantee
where r.rolname <> $1::text and a.grantee <> g.owner
  and not exists (
    select from pg_depend d where d.classid = g.class and d.objid = g.object and d.deptype = 'e')
group by r.rolname
order by r.rolname
