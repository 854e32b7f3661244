-- Ends presences whose deadline has passed, and automatic presences whose device has stopped reporting. $1: the maximum
-- number of presences. Rows: one row with the number of ended presences. Locks: the ended presences, SKIP LOCKED, and
-- their visits.
select check_out_silent($1)
