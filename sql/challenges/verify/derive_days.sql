-- Derives the days behind a member's week anew from the ledger. $1 group, $2 user, $3 Monday. Rows: one: days.
-- Locks: the member's own rows; the caller holds theirs.
select derive_days($1, $2, $3::text::date)
