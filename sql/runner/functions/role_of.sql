-- Returns the name of the schema's role for a kind such as `worker`, or null if the schema has no roles. Locks: none.
create or replace function role_of(kind text) returns text
language sql stable
return (select prefix || '_' || kind from access)
