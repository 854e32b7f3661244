-- Returns the role that the caller acts as, which is the role of SET ROLE or, without SET ROLE, the login. In a
-- SECURITY DEFINER function, current_user would be the definer instead.
create or replace function caller() returns name
language sql stable
return case current_setting('role') when 'none' then session_user else current_setting('role')::name end;
