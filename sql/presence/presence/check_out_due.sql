-- Ends presences whose deadline has come. $1 their ids. Rows: one. Locks: those of check_out_due.
select check_out_due($1)
