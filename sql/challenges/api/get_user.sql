-- The actor's account. $1 actor. Rows: one. Locks: none. Index: users_pkey.
select id, display_name, asks_for_name, email, photo_url, auth_provider::text, current_group_id,
  shares_workouts, created_at
from get_user($1)
