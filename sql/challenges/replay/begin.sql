-- Assigns this development database to a replay. $1 file digest, $2 and $3 the range or '', $4 step in s, $5 whether
-- weeks close. Rows: 1; error 23505 if another replay was faster. Locks: the row.
insert into replay (file_digest, from_date, to_date, step, closes_weeks)
select $1, nullif($2, '')::date, nullif($3, '')::date, $4 * interval '1 second', $5
