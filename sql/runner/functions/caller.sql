-- The role that the caller acts as: the role of SET ROLE, else the login. This is also right within SECURITY DEFINER
-- functions, where current_user is the definer.
create or replace function caller() returns name
language sql stable
return case current_setting('role') when 'none' then session_user else current_setting('role')::name end;
