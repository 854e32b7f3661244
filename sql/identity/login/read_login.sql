-- Reads the rights of the connection's login in schema $1. A server uses this statement to reject a login with too many
-- rights. Rows: one row with five columns, or no row if the schema does not exist. The columns are the login's name and
-- four booleans: superuser, bypasses row-level security, can act as the owner, may use the schema. Locks: none. Index:
-- pg_namespace_nspname_index.
select r.rolname::text, r.rolsuper, r.rolbypassrls, pg_catalog.pg_has_role(r.oid, n.nspowner, 'member'),
  pg_catalog.has_schema_privilege(r.oid, n.oid, 'usage')
from pg_roles r
join pg_namespace n on n.nspname = $1::text
where r.rolname = session_user
