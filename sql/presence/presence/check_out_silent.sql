-- Ends automatic presences that are silent. $1 how many at most. Rows: the number. Locks: those of check_out_silent.
select check_out_silent($1)
