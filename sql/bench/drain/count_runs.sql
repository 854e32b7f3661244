-- Counts the benchmark's runs that have not been completed. Rows: one row with the numbers of uncompleted and dead
-- runs. Locks: none.
select (select count(*) from run), (select count(*) from dead_run)
