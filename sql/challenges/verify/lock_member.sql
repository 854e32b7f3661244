-- Starts the repair of a member's week by locking the member's row. $1 is the group, $2 the user. Rows: one: whether
-- the member exists. Locks: the member's row.
select lock_member($1, $2)
