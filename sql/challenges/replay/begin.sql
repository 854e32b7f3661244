-- Assigns this development database to a replay. $1: the file's digest. $2 and $3: the start and the end of the range,
-- or ''. $4: the step in seconds. $5: true if weeks close. Rows: one row with the number of inserted rows. If another
-- replay already owns this database, the statement fails with error 23505. Locks: the new row.
insert into replay (file_digest, from_date, to_date, step, closes_weeks)
select $1, nullif($2, '')::date, nullif($3, '')::date, $4 * interval '1 second', $5
