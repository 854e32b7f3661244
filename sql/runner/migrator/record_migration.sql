-- Records an applied migration, in the migration's own transaction. $1 is the module, $2 the migration's name, $3 its
-- text. Rows: 1 affected row. Locks: the new row.
insert into migration (part, name, sha256)
values ($1, $2, encode(sha256(convert_to($3, 'UTF8')), 'hex'))
