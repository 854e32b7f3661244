-- Makes this a development database whose clock stands. $1 clock, $2 whether schedules fire by it.
-- Rows: 1; 23505 where it is one already. Locks: the row.
insert into development (clock, fires_schedules) values ($1, $2)
