-- Tables of the schema with many dead rows by the server's statistics (more than $1, and more than live rows), or with
-- autovacuum off. Rows: table, live, dead, bytes, days since it was last vacuumed (null: never since the statistics
-- began), whether autovacuum is off for it. Locks: ACCESS SHARE for a moment, on each. Index: none, the tables of one
-- schema.
select c.relname::text, s.live, s.dead, coalesce(pg_total_relation_size(c.oid), 0),
  (extract(epoch from now() - greatest(pg_stat_get_last_vacuum_time(c.oid),
    pg_stat_get_last_autovacuum_time(c.oid))) / 86400)::bigint, o.is_off
from pg_class c,
lateral (
  select greatest(pg_stat_get_live_tuples(c.oid), 0) as live, pg_stat_get_dead_tuples(c.oid) as dead) s,
lateral (
  select 'autovacuum_enabled=false' = any (coalesce(c.reloptions, '{}')) as is_off) o
where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
  and (s.dead > $1::bigint and s.dead > s.live or o.is_off)
order by s.dead desc, c.relname
limit 20
