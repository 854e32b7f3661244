-- Lists the tables of the schema. Rows: the name, and whether the table is a partition. Locks: none.
select c.relname, c.relispartition
from pg_class c
where c.relnamespace = pg_catalog.current_schema()::regnamespace and c.relkind in ('r', 'p')
order by 1
