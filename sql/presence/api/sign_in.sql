-- Signs in. $1 provider, $2 subject, $3 name or null, $4 photo or null. Rows: one. Locks: the new rows.
select id, display_name, photo_url, is_anonymous, asks_for_name, time_zone, version, created_at
from sign_in($1, $2, $3, $4)
