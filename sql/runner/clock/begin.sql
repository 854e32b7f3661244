-- Makes this a development database with a frozen clock. $1 clock, $2 whether schedules fire by it. Rows: 1; 23505 if
-- it already is a development database. Locks: the row.
insert into development (clock, fires_schedules) values ($1, $2)
