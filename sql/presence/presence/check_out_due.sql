-- Ends presences whose deadline has passed. $1: the ids of the presences. Rows: one row. Locks: the rows that the
-- function check_out_due locks.
select check_out_due($1)
