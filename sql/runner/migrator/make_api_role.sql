-- Creates the role that read_api_role has set, as a role that cannot log in. The API's own login becomes a member of
-- the role. If a migration of another database creates the role at the same time, the migrator uses the existing one.
-- Rows: none. Locks: the new role.
do $$
begin
  execute pg_catalog.format('create role %I nologin', pg_catalog.current_setting('baton.api_role'));
exception
  when duplicate_object or unique_violation then null;
end $$
