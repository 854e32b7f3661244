-- Checks whether the database distributes tables over several nodes, as Citus does. Rows: one row with a boolean that
-- is true if tables are distributed. Locks: none.
select to_regclass('pg_dist_shard') is not null
