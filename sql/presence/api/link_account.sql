-- Makes the actor an account. $1 actor, $2 provider, $3 subject, $4 name or null. Rows: one.
-- Locks: docs/whosthere.md.
select id, display_name, photo_url, is_anonymous, asks_for_name, time_zone, version, created_at
from link_account($1, $2, $3, $4)
