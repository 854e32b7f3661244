-- Ends presences whose deadline has passed. $1: the ids of the presences. Rows: one row. Locks: the presences in order
-- of id, and their visits.
select check_out_due($1)
