-- Lists at most 20 bloated tables of the schema, and tables whose autovacuum is disabled. A table is bloated if it has
-- more than $1 dead rows, and more dead rows than live rows, according to the server's statistics. Rows: table, live
-- rows, dead rows, bytes, days since the last vacuum (null if unknown), whether autovacuum is disabled, and the
-- qualified and quoted name. Locks: each table, ACCESS SHARE, while the size is read. Index: none.
select c.relname::text, s.live, s.dead, coalesce(pg_total_relation_size(c.oid), 0),
  (extract(epoch from now() - greatest(pg_stat_get_last_vacuum_time(c.oid),
    pg_stat_get_last_autovacuum_time(c.oid))) / 86400)::bigint, o.is_off,
  format('%I.%I', current_schema(), c.relname)
from pg_class c,
lateral (
  select greatest(pg_stat_get_live_tuples(c.oid), 0) as live, pg_stat_get_dead_tuples(c.oid) as dead) s,
lateral (
  select 'autovacuum_enabled=false' = any (coalesce(c.reloptions, '{}')) as is_off) o
where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
  and (s.dead > $1::bigint and s.dead > s.live or o.is_off)
order by s.dead desc, c.relname
limit 20
