-- Users with whom the actor is in a group. $1 actor, $2 ids. Rows: one each. Locks: none. Index: users_pkey, member_user.
select user_id, display_name, photo_url, version
from get_users($1, $2)
