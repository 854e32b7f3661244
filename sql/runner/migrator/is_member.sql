-- Checks whether the login is the role $1 or a member of it. Rows: one row with the login's name, whether the login is
-- that role, and whether the login is a member of that role. Locks: none.
select session_user::text, session_user = r.rolname, pg_catalog.pg_has_role(session_user, r.oid, 'member')
from pg_roles r
where r.rolname = $1::text
