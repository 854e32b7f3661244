-- Derives a member's days again from the ledger: those of a week and of the ten weeks before it. $1 group, $2 user, $3
-- Monday. Rows: one: days. Locks: the rows of the member's days; the caller holds the row of the member.
select derive_days($1, $2, $3::text::date)
