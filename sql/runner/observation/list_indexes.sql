-- The largest indexes of the schema. Rows: index, table, bytes, how often it was read since the statistics began; 50 at
-- most. Locks: ACCESS SHARE for a moment, on each. Index: none, the indexes of one schema.
select c.relname::text, t.relname::text, coalesce(pg_relation_size(c.oid), 0), pg_stat_get_numscans(c.oid)
from pg_class c
join pg_index i on i.indexrelid = c.oid
join pg_class t on t.oid = i.indrelid
where c.relnamespace = current_schema()::regnamespace and c.relkind = 'i'
order by coalesce(pg_relation_size(c.oid), 0) desc, c.relname
limit 50
