-- Notes that a migration was applied, in its own transaction. $1 name, $2 sha256.
-- Rows: 1. Locks: the new row.
insert into migration (name, sha256) values ($1, $2)
