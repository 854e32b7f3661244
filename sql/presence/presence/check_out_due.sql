-- Ends presences whose deadline has passed. $1: the ids of the presences. Rows: one row. Locks: those of check_out_due.
select check_out_due($1)
