-- Records an applied migration, in the migration's own transaction. $1: the module. $2: the migration's name. $3: the
-- migration's text. $4: the program, or null. $5: the program's release, or null. $6: whether programs without the
-- migration can use the schema. Rows: 1 affected row. Locks: the new row.
insert into migration (part, name, sha256, program, release, is_compatible)
values ($1, $2, pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to($3, 'UTF8')), 'hex'), $4, $5::integer, $6)
