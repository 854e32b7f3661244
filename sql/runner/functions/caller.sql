-- The role that somebody acts as: what SET ROLE said, else who logged in. Right within functions of SECURITY
-- DEFINER too, where current_user is the definer.
create or replace function caller() returns name
language sql stable
return case current_setting('role') when 'none' then session_user else current_setting('role')::name end;
