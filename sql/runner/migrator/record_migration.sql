-- Records that a migration was applied, in the migration's own transaction. $1 part, $2 name, $3 text. Rows: 1. Locks:
-- the new row.
insert into migration (part, name, sha256)
values ($1, $2, encode(sha256(convert_to($3, 'UTF8')), 'hex'))
