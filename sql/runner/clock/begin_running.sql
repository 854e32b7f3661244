-- Makes this a development database whose clock runs, as yet with the server's.
-- Rows: 1; none where it is a development database already. Locks: the row.
insert into development (clock) values (null)
on conflict do nothing
