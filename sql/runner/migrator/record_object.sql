-- Records that a function, view or trigger was made. $1 part, $2 kind, $3 name, $4 table, $5 text. Rows: 1; none if it
-- belongs to another part. Locks: the row.
insert into schema_object as o (part, kind, name, relation, sha256)
values ($1, $2, $3, $4, encode(sha256(convert_to($5, 'UTF8')), 'hex'))
on conflict (kind, name) do update
set relation = excluded.relation, sha256 = excluded.sha256
where o.part = excluded.part
