-- What the names of the schema's roles begin with. Rows: one, or none where it has no roles. Locks: none.
select prefix from access
