-- Makes this a development database. $1 clock, $2 file digest, $3 and $4 the range or '',
-- $5 step in s, $6 mode. Rows: 1; 23505 where another replay was faster. Locks: the row.
insert into development (clock, file_digest, from_date, to_date, step, mode)
select $1, $2, nullif($3, '')::date, nullif($4, '')::date, $5 * interval '1 second', $6
