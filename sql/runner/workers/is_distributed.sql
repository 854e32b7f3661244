-- Whether this database distributes tables over several nodes, as Citus does. Rows: one. Locks: none.
select to_regclass('pg_dist_shard') is not null
