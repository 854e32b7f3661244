-- What is left of the bench's runs. Rows: one: runs, dead runs. Locks: none.
select (select count(*) from run), (select count(*) from dead_run)
