-- Makes this a development database with a running clock, which at first equals the server's. Rows: 1; none if it
-- already is a development database. Locks: the row.
insert into development (clock) values (null)
on conflict do nothing
