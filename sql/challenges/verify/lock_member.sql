-- Begins the healing of a member's week. $1 group, $2 user. Rows: one: whether
-- there is such a member. Locks: the member's row.
select lock_member($1, $2)
