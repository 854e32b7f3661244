-- Lists the 50 largest indexes of the schema. Rows: index, table, bytes, and number of scans according to the server's
-- statistics. Locks: each index, ACCESS SHARE, while the size is read. Index: none.
select c.relname::text, t.relname::text, coalesce(pg_relation_size(c.oid), 0), pg_stat_get_numscans(c.oid)
from pg_class c
join pg_index i on i.indexrelid = c.oid
join pg_class t on t.oid = i.indrelid
where c.relnamespace = current_schema()::regnamespace and c.relkind = 'i'
order by coalesce(pg_relation_size(c.oid), 0) desc, c.relname
limit 50
