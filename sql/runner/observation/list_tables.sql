-- The largest tables of the schema, by the server's statistics. Rows: table, live, dead, bytes, bytes of its indexes,
-- bytes of all, when it was last vacuumed (null: never since the statistics began); 50 at most. Locks: ACCESS SHARE for
-- a moment, on each. Index: none, the tables of one schema.
select c.relname::text, greatest(pg_stat_get_live_tuples(c.oid), 0), greatest(pg_stat_get_dead_tuples(c.oid), 0),
  coalesce(pg_table_size(c.oid), 0), coalesce(pg_indexes_size(c.oid), 0), coalesce(pg_total_relation_size(c.oid), 0),
  greatest(pg_stat_get_last_vacuum_time(c.oid), pg_stat_get_last_autovacuum_time(c.oid))
from pg_class c
where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
order by coalesce(pg_total_relation_size(c.oid), 0) desc, c.relname
limit 50
