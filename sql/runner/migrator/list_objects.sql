-- Lists functions, views and triggers that differ between the schema and this program. $1: the program's modules. $2 to
-- $6: the program's objects (module, kind, name, table and text). Rows: module, kind, name, table, and whether the
-- program contains the object. Locks: none.
select coalesce(own.part, o.part), coalesce(own.kind, o.kind), coalesce(own.name, o.name),
  coalesce(own.relation, o.relation), own.name is not null
from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
  as own (part, kind, name, relation, text)
full join (select * from schema_object where part = any ($1)) o using (kind, name)
where (own.relation, pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(own.text, 'UTF8')), 'hex'))
    is distinct from (o.relation, o.sha256)
  or not case coalesce(own.kind, o.kind)
    when 'view' then exists (
      select from pg_class c
      where c.relnamespace = pg_catalog.current_schema()::regnamespace and c.relname = name
        and c.relkind = 'v')
    when 'function' then exists (
      select from pg_proc f
      where f.pronamespace = pg_catalog.current_schema()::regnamespace and f.proname = name)
    else exists (
      select from pg_trigger t
      where t.tgrelid = pg_catalog.to_regclass(coalesce(own.relation, o.relation)) and t.tgname = name) end
order by 1, 2, 3
