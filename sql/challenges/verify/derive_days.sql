-- Recomputes a member's days from the ledger, for a week and the previous ten weeks. $1: the group's id. $2: the user's
-- id. $3: the week's Monday. Rows: one row with the number of recomputed days. Locks: the rows of the member's days.
-- The caller must have locked the member's row.
select derive_days($1, $2, $3::text::date)
