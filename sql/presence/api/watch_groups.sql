-- The groups of the actor on a watch. $1 actor. Rows: as they are shown, 20 at most. Locks: none. Index: member_user.
select group_id, name, present_count, is_present, version
from watch_groups($1)
