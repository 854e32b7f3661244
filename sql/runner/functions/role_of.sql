-- The name of the role of a kind, like `worker`; null where the schema has no roles. Locks: none.
create or replace function role_of(kind text) returns text
language sql stable
return (select prefix || '_' || kind from access)
