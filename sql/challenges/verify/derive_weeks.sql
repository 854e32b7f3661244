-- Counts a member's streaks and entries anew. $1 group, $2 user, $3 Monday. Rows: one. Locks: the member's own
-- rows, open boards FOR KEY SHARE; the caller holds the member's.
select derive_weeks($1, $2, $3::text::date)
