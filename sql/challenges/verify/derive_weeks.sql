-- Computes a member's streaks and entries again. $1 group, $2 user, $3 Monday. Rows: one. Locks: the rows of the
-- member's days and entries, open boards FOR KEY SHARE; the caller holds the row of the member.
select derive_weeks($1, $2, $3::text::date)
