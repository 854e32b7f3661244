-- Ends automatic presences whose device has stopped reporting. $1 is the maximum number of presences. Rows: one: the
-- number of ended presences. Locks: the locks of check_out_silent.
select check_out_silent($1)
