-- Turns this database into a development database with a running clock, which initially equals the server's clock.
-- Rows: 1 affected row, or 0 if the database is already a development database. Locks: the new row.
insert into development (clock) values (null)
on conflict do nothing
