-- How the login relates to the role $1. Rows: one: the login's name, whether it is that role, whether it may act as it.
-- Locks: none.
select session_user::text, session_user = r.rolname, pg_has_role(session_user, r.oid, 'member')
from pg_roles r
where r.rolname = $1::text
