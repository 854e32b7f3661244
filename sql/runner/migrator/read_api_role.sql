-- Reads the privileges of the API role $1 in the schema $2, and sets the role for make_api_role. Rows: one row with
-- five columns. The first columns are whether the role exists, has USAGE on the schema, and can act as the schema's
-- owner. The last columns are the number of functions that the role may execute, and the tables, views and sequences on
-- which it has privileges. If the schema does not exist, the caller is treated as the schema's owner. Locks: none.
select r.oid is not null, coalesce(u.is_inside, false),
  coalesce(pg_catalog.pg_has_role(r.oid, coalesce(n.nspowner, o.oid), 'member'), false),
  (select pg_catalog.count(*) from pg_proc f, pg_catalog.aclexplode(f.proacl) a
    where f.pronamespace = n.oid and a.grantee = r.oid and a.privilege_type = 'EXECUTE'),
  coalesce((
    select pg_catalog.string_agg(c.relname, ', ' order by c.relname) from pg_class c
    where c.relnamespace = n.oid and (
      exists (select from pg_catalog.aclexplode(c.relacl) a where a.grantee = r.oid)
      or exists (
        select from pg_attribute t, pg_catalog.aclexplode(t.attacl) a
        where t.attrelid = c.oid and a.grantee = r.oid))), ''),
  pg_catalog.set_config('baton.api_role', $1::text, true)
from pg_roles o
left join pg_roles r on r.rolname = $1::text
left join pg_namespace n on n.nspname = $2::text
left join lateral (
  select true as is_inside from pg_catalog.aclexplode(n.nspacl) a
  where a.grantee = r.oid and a.privilege_type = 'USAGE') u on true
where o.rolname = current_user
