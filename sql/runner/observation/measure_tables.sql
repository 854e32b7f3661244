-- The tables that the queue writes all the time, by the server's own statistics: no row is counted. Rows: table, live
-- rows, dead rows, bytes with indexes, rows inserted and deleted since the statistics began. Locks: ACCESS SHARE for a
-- moment, on each. Index: pg_class_relname_nsp_index.
select c.relname::text, greatest(pg_stat_get_live_tuples(c.oid), 0), greatest(pg_stat_get_dead_tuples(c.oid), 0),
  coalesce(pg_total_relation_size(c.oid), 0), pg_stat_get_tuples_inserted(c.oid),
  pg_stat_get_tuples_deleted(c.oid)
from pg_class c
where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
  and c.relname in ('run', 'run_payload', 'recent_run', 'dead_run', 'failed_attempt', 'event_0', 'event_1',
    'event_2', 'event_position', 'worker')
order by c.relname
