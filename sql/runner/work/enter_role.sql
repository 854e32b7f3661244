-- If the schema has roles, makes the code of a job act as a role until leave_role is executed. $1: the role's kind.
-- Rows: one row with the transaction's previous role. Locks: none.
with before as materialized (select current_setting('role') as role)
select role, set_config('role', coalesce(role_of($1), role), true) from before
