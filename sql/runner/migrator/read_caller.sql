-- Reads the caller's privileges, before the roles of a schema with the owner $1 are created or dropped. Rows: one row
-- with five columns. The first columns are the caller's name, and whether the caller is a superuser, may create roles,
-- and is a member of $1. The last column is true if the caller is the schema's owner or a member of the owner role.
-- Locks: none.
select current_user::text, r.rolsuper, r.rolsuper or r.rolcreaterole,
  coalesce(pg_catalog.pg_has_role(o.oid, 'usage'), false), coalesce(pg_catalog.pg_has_role(n.nspowner, 'usage'), false)
from pg_roles r
left join pg_roles o on o.rolname = $1::text
left join pg_namespace n on n.oid = pg_catalog.current_schema()::regnamespace
where r.rolname = current_user
