-- The prefix of the names of the schema's roles. Rows: one, or none if the schema has no roles. Locks: none.
select prefix from access
