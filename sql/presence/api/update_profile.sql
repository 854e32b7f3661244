-- Changes the actor. $1 actor, $2 name, $3 photo or null, $4 zone or null. Rows: one. Locks: the row.
select id, display_name, photo_url, is_anonymous, asks_for_name, time_zone, version, created_at
from update_profile($1, $2, $3, $4)
