-- Lists the applied migrations and the migrations of this program, module by module in the order of $1, oldest first.
-- $1: the program's modules. $2 to $4: the program's migrations (module, name and text). Rows: The first columns are
-- module, name, applied sha256 (null if not applied), sha256 of this program's file (null if unknown to this program).
-- The next column is true if programs without the migration can use the schema. The last columns are the program and
-- the release that applied the migration (null if unknown). Locks: none. Modules that this program does not contain are
-- not listed. The release columns are read as JSON, because an older program may have created the table without these
-- columns.
select p.part, coalesce(m.name, own.name), m.sha256,
  pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(own.text, 'UTF8')), 'hex'),
  coalesce((m.record ->> 'is_compatible')::boolean, false),
  m.record ->> 'program', (m.record ->> 'release')::integer
from (
  select part, name, sha256, pg_catalog.to_jsonb(migration) as record from migration where part = any ($1)
) m
full join unnest($2::text[], $3::text[], $4::text[]) as own (part, name, text)
  on (own.part, own.name) = (m.part, m.name)
join pg_catalog.unnest($1::text[]) with ordinality as p (part, place) on p.part = coalesce(m.part, own.part)
order by p.place, 2
