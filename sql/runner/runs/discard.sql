-- Forgets dead runs. $1 ids. Rows: the number. Locks: those dead runs, held since lock_dead.
-- Index: dead_run_pkey.
delete from dead_run where id = any ($1)
