-- Lists the server's statistics for tables to which the queue writes continuously. Rows: table, live rows, dead rows,
-- bytes including indexes, and the numbers of inserted and deleted rows since the last reset of the statistics. Locks:
-- each table, ACCESS SHARE, while the size is read. Index: pg_class_relname_nsp_index.
select c.relname::text, greatest(pg_stat_get_live_tuples(c.oid), 0), greatest(pg_stat_get_dead_tuples(c.oid), 0),
  coalesce(pg_total_relation_size(c.oid), 0), pg_stat_get_tuples_inserted(c.oid),
  pg_stat_get_tuples_deleted(c.oid)
from pg_class c
where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
  and c.relname in ('run', 'run_payload', 'run_progress', 'run_checkpoint', 'run_step', 'event_wait', 'sent_event',
    'recent_run', 'dead_run', 'failed_attempt', 'event_0', 'event_1',
    'event_2', 'event_position', 'worker', 'limit_start', 'held_group', 'batch',
    'batch_member')
order by c.relname
