-- Counts the bench's runs that are left. Rows: one: runs, dead runs. Locks: none.
select (select count(*) from run), (select count(*) from dead_run)
