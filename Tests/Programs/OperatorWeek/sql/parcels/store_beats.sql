-- Stores occurrences of a schedule. $1 their times as text. Rows: none. Locks: none. Index: none.
insert into effect (key)
select unnest($1::text[])
