-- Ends presences whose deadline has passed. $1 contains the ids of the presences. Rows: one. Locks: those of
-- check_out_due.
select check_out_due($1)
