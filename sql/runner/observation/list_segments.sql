-- Lists the segments of the event log. Rows: number, whether writers append to the segment, estimated number of events,
-- bytes, time of the last switch between segments. Locks: each table, ACCESS SHARE, while the size is read. Index:
-- pg_class_relname_nsp_index.
select n::bigint, n = s.current, greatest(pg_stat_get_live_tuples(c.oid), 0), coalesce(pg_total_relation_size(c.oid), 0),
  s.rotated_at
from event_segment s, generate_series(0, 2) n
join pg_class c on c.relnamespace = current_schema()::regnamespace and c.relname = 'event_' || n
order by n
