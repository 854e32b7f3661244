-- Begins the healing of a member's week: whoever records a workout of theirs is waited for, and waits.
-- $1 group, $2 user. Rows: none; one is changed, where there is such a member. Locks: the member's row.
-- Index: member_pkey.
update member set calls = calls + 1 where group_id = $1 and user_id = $2
