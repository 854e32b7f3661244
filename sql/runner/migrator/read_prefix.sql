-- Reads the name prefix of the schema's roles. Rows: one row with the prefix, or no rows if the schema has no roles.
-- Locks: none.
select prefix from access
