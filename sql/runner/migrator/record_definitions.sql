-- Records object definitions. $1: the kinds. $2: the tables. $3: the names. $4: the definitions, or null for an object
-- that was dropped. Rows: the number of stored definitions. Locks: the stored and deleted rows.
with changed as (
  select * from unnest($1::text[], $2::text[], $3::text[], $4::text[]) c (kind, relation, name, definition)
),
gone as (
  delete from object_definition d using changed c
  where (d.kind, d.relation, d.name) = (c.kind, c.relation, c.name) and c.definition is null
)
insert into object_definition (kind, relation, name, definition)
select kind, relation, name, definition from changed where definition is not null
on conflict (kind, relation, name) do update set definition = excluded.definition
