-- The members of a group. $1 actor, $2 group. Rows: longest first. Locks: none. Index: member_pkey.
select user_id, display_name, photo_url, role, joined_at
from get_members($1, $2)
