-- The actor. $1 actor. Rows: one. Locks: none. Index: users_pkey.
select id, display_name, photo_url, is_anonymous, asks_for_name, time_zone, version, created_at
from get_user($1)
