-- Returns the caller's current role: the role of SET ROLE, or the login if SET ROLE was not used. In a SECURITY DEFINER
-- function, current_user would be the definer.
create or replace function caller() returns name
language sql stable
return case current_setting('role') when 'none' then session_user else current_setting('role')::name end;
