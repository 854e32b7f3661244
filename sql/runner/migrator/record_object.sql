-- Records a created function, view or trigger. $1: the module. $2: the object's kind. $3: the object's name. $4: the
-- table. $5: the object's text. Rows: 1 affected row, or 0 if the object belongs to another module. Locks: the row.
insert into schema_object as o (part, kind, name, relation, sha256)
values ($1, $2, $3, $4, pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to($5, 'UTF8')), 'hex'))
on conflict (kind, name) do update
set relation = excluded.relation, sha256 = excluded.sha256
where o.part = excluded.part
