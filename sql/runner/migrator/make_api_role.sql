-- Makes the role that read_api_role has set. It cannot log in: an API's own login becomes a member of it. Roles belong
-- to the cluster: if a migration of another database makes the role at the same time, that role is used. Rows: none.
-- Locks: the new role's name.
do $$
begin
  execute format('create role %I nologin', current_setting('baton.api_role'));
exception
  when duplicate_object or unique_violation then null;
end $$
