-- Makes users. $1 ids, $2 their names. Rows: one each. Locks: the new rows.
insert into users (id, display_name, is_anonymous)
select u.id, u.name, false
from unnest($1::text[], $2::text[]) u (id, name)
