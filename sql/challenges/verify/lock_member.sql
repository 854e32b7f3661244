-- Starts repairing a member's week by locking the member's row. $1: the group's id. $2: the user's id. Rows: one row
-- with a boolean that is true if the member exists. Locks: the member's row.
select lock_member($1, $2)
