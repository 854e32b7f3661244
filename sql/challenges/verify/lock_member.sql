-- Begins the repair of a member's week. $1 group, $2 user. Rows: one: whether the member exists. Locks: the member's
-- row.
select lock_member($1, $2)
