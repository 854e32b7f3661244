-- Lets the work of a job act as the role of the kind $1, if the schema has roles, until leave_role. Rows: one: the role
-- that the transaction has acted as so far. Locks: none.
with before as materialized (select current_setting('role') as role)
select role, set_config('role', coalesce(role_of($1), role), true) from before
