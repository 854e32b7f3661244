-- Counts the remaining runs of the bench. Rows: one: the number of runs and of dead runs. Locks: none.
select (select count(*) from run), (select count(*) from dead_run)
