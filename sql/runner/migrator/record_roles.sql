-- Stores the name prefix of the schema's roles. $1: the prefix. Rows: 1 affected row, or 0 if a prefix is already
-- stored. Locks: the row.
insert into access (prefix) values ($1) on conflict do nothing
