-- Both challenges of the running week. $1 actor, $2 group. Rows: two. Locks: where one is missing, the group
-- FOR SHARE.
select id, type::text, week_start::text, is_active, created_at
from current_week_challenges($1, $2)
