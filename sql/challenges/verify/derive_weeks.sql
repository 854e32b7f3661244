-- Recomputes a member's streaks and entries. $1: the group's id. $2: the user's id. $3: the week's Monday. Rows: one
-- row. Locks: the rows of the member's days and entries, and the open boards FOR KEY SHARE. The caller must have locked
-- the member's row.
select derive_weeks($1, $2, $3::text::date)
