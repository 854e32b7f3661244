-- How many pages the table of runs has. Rows: one. Locks: ACCESS SHARE for a moment.
select pg_relation_size('run'::regclass) / current_setting('block_size')::bigint
