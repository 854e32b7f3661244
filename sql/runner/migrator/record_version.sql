-- Records that all functions, views and triggers of a module version were created. $1: the module. $2: the version.
-- Rows: 1 affected row. Locks: the row.
insert into schema_part (part, set_number) values ($1, $2)
on conflict (part) do update set set_number = excluded.set_number
