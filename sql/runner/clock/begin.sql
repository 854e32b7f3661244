-- Turns this database into a development database with a frozen clock. $1: the clock's time. $2: true if schedules
-- follow the clock. Rows: 1 affected row. If the database is already a development database, the statement fails with
-- error 23505. Locks: the new row.
insert into development (clock, fires_schedules) values ($1, $2)
