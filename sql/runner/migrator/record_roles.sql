-- Keeps what the names of the schema's roles begin with. $1. Rows: 1; none where it is kept. Locks: the row.
insert into access (prefix) values ($1) on conflict do nothing
