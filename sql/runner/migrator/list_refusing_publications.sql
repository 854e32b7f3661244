-- Lists the publications that make PostgreSQL reject updates and deletes in the current schema. If a publication sends
-- updates or deletes, each table needs a replica identity. Row filters may contain only columns of the replica
-- identity, and column lists must contain all of these columns. The primary keys of all tables are their default
-- replica identities. Rows: the publication with the table, and the statement that fixes the problem. Locks: none.
with own as (
  select c.oid, c.relkind, c.relpersistence, c.relreplident, c.relnamespace,
    pg_catalog.format('%I.%I', n.nspname, c.relname) as name, i.indkey::smallint[] as identity,
    exists (select from pg_index k where k.indrelid = c.oid and k.indisprimary) as has_key
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  left join pg_index i on i.indrelid = c.oid
    and case c.relreplident when 'd' then i.indisprimary when 'i' then i.indisreplident else false end
  where n.nspname = pg_catalog.current_schema() and c.relkind in ('r', 'p')
),
sending as (
  select p.oid, p.pubname, p.puballtables from pg_publication p where p.pubupdate or p.pubdelete
)
select pg_catalog.format('the publication %s of the table %s with a row filter or a column list', p.pubname, o.name),
  pg_catalog.format('alter publication %I drop table %s', p.pubname, o.name)
from sending p
join pg_publication_rel r on r.prpubid = p.oid
join own o on o.oid = r.prrelid
where o.relreplident <> 'f' and exists (
    select from pg_catalog.regexp_matches(r.prqual::text, ':varattno ([0-9]+)', 'g') m (column_number)
    where m.column_number[1]::smallint <> all (coalesce(o.identity, '{}')))
  or r.prattrs is not null and (o.relreplident = 'f' or not o.identity <@ r.prattrs::smallint[])
union all
select pg_catalog.format('the publication %s of the table %s, which has no replica identity', p.pubname, o.name),
  pg_catalog.format('alter table %s replica identity default', o.name)
from sending p
join own o on p.puballtables
  or exists (select from pg_publication_namespace n where n.pnpubid = p.oid and n.pnnspid = o.relnamespace)
  or exists (
    select from pg_publication_rel r
    where r.prpubid = p.oid and (r.prrelid = o.oid or r.prrelid in (select pg_catalog.pg_partition_ancestors(o.oid))))
where o.relkind = 'r' and o.relpersistence = 'p' and o.has_key and o.relreplident <> 'f' and o.identity is null
order by 1
