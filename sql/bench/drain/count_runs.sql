-- Counts the benchmark's runs that have not been completed. Rows: one row with the number of runs and the number of
-- dead runs. Locks: none.
select (select count(*) from run), (select count(*) from dead_run)
