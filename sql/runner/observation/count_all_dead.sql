-- Counts at most 20,001 dead runs. Rows: one row with the counted number, and the server's estimate of the total
-- number. Locks: none. Index: dead_run_pkey.
select count(*), pg_stat_get_live_tuples('dead_run'::regclass) from (select from dead_run limit 20001) counted
