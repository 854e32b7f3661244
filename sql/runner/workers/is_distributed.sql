-- Checks whether the database distributes tables over several nodes, as Citus does. Rows: one row with the result.
-- Locks: none.
select to_regclass('pg_dist_shard') is not null
