-- How the role $1 of an API relates to the schema $2. Sets the role for make_api_role. Rows: one: whether the role
-- exists, whether it has USAGE of the schema, whether it can act as the schema's owner (as the caller, if the schema
-- does not exist yet), how many of its functions it may execute, and the tables, views and sequences on which it was
-- granted a right, with commas. Locks: none.
select r.oid is not null, coalesce(u.is_inside, false),
  coalesce(pg_has_role(r.oid, coalesce(n.nspowner, o.oid), 'member'), false),
  (select count(*) from pg_proc f, aclexplode(f.proacl) a
    where f.pronamespace = n.oid and a.grantee = r.oid and a.privilege_type = 'EXECUTE'),
  coalesce((
    select string_agg(c.relname, ', ' order by c.relname) from pg_class c
    where c.relnamespace = n.oid and (
      exists (select from aclexplode(c.relacl) a where a.grantee = r.oid)
      or exists (
        select from pg_attribute t, aclexplode(t.attacl) a
        where t.attrelid = c.oid and a.grantee = r.oid))), ''),
  set_config('baton.api_role', $1::text, true)
from pg_roles o
left join pg_roles r on r.rolname = $1::text
left join pg_namespace n on n.nspname = $2::text
left join lateral (
  select true as is_inside from aclexplode(n.nspacl) a
  where a.grantee = r.oid and a.privilege_type = 'USAGE') u on true
where o.rolname = current_user
