-- Records that a part's set of functions, views and triggers is complete. $1 part, $2 its number. Rows: 1. Locks: the
-- row.
insert into schema_part (part, set_number) values ($1, $2)
on conflict (part) do update set set_number = excluded.set_number
