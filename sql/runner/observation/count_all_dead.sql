-- How many dead runs there are: counted up to 20,001, and estimated in total. Rows: one. Locks: none. Index:
-- dead_run_pkey.
select count(*), pg_stat_get_live_tuples('dead_run'::regclass) from (select from dead_run limit 20001) counted
