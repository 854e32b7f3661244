-- Who is at places. $1 groups. Rows: number in the list from 1, version of the line, date there, the place and those who are
-- not there as JSON. Locks: none. Index: presence_pkey.
select number, version, local_date::text, place::text, absent::text from observed_places($1)
