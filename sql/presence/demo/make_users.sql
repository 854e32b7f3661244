-- Creates users. $1: the ids. $2: the names. Rows: one row for each user. Locks: the new rows.
insert into users (id, display_name, is_anonymous)
select u.id, u.name, false
from unnest($1::text[], $2::text[]) u (id, name)
