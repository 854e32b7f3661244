-- Lists the 50 largest tables of the schema, according to the server's statistics. Rows: table, live rows, dead rows,
-- bytes of the table, bytes of the indexes, total bytes, time of the last vacuum (null if unknown). Locks: each table,
-- ACCESS SHARE, while the size is read. Index: none.
select c.relname::text, greatest(pg_stat_get_live_tuples(c.oid), 0), greatest(pg_stat_get_dead_tuples(c.oid), 0),
  coalesce(pg_table_size(c.oid), 0), coalesce(pg_indexes_size(c.oid), 0), coalesce(pg_total_relation_size(c.oid), 0),
  greatest(pg_stat_get_last_vacuum_time(c.oid), pg_stat_get_last_autovacuum_time(c.oid))
from pg_class c
where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
order by coalesce(pg_total_relation_size(c.oid), 0) desc, c.relname
limit 50
