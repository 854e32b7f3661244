-- Makes the role that read_api_role has named, which nobody can log in as: an API's own role becomes a member.
-- Roles are the cluster's: one that a migration of another database makes at this moment is this one.
-- Rows: none. Locks: the new role's name.
do $$
begin
  execute format('create role %I nologin', current_setting('baton.api_role'));
exception
  when duplicate_object or unique_violation then null;
end $$
