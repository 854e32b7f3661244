-- Ends automatic presences whose device has stopped reporting. $1 how many at most. Rows: the number. Locks: those of
-- check_out_silent.
select check_out_silent($1)
