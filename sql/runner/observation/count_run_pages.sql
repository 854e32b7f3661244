-- Returns the number of pages of the table `run`. Rows: one row with the number. Locks: the table, ACCESS SHARE, only
-- while its size is read.
select pg_relation_size('run'::regclass) / current_setting('block_size')::bigint
