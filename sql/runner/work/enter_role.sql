-- Lets the code of a job act as the role of the kind $1 until leave_role, if the schema has roles. Rows: one row with
-- the previous role of the transaction. Locks: none.
with before as materialized (select current_setting('role') as role)
select role, set_config('role', coalesce(role_of($1), role), true) from before
