-- Whether this is a database that keeps tables on several nodes, as Citus does.
-- Rows: one. Locks: none.
select to_regclass('pg_dist_shard') is not null
