-- Checks the tables that jobs declare. $1: the schemas ('' for this schema). $2: the names. $3: the columns that are
-- read. $4: the columns that are recorded as key or payload. $5: true if updates trigger the job. $6: the names in the
-- condition. Lists have one name per line. Rows: one row for each table, in the order of the arrays. The first columns
-- are the index in the arrays, the problem (or null), the schema, and the primary key's columns. Column 5 is true if
-- the text of a recorded column depends on the session's settings. Column 6 contains the names of the columns in the
-- condition. The text of times, floating-point numbers, money and bytes depends on settings. For an array, the element
-- type decides. The statement does not examine composite types, ranges and domains over arrays, and assumes that their
-- text depends on settings. Locks: none.
select own.place, case
    when c.oid is null then 'is not there'
    when c.relkind not in ('r', 'p') then 'is not a table'
    when c.relispartition then 'is a partition: the writes of its parent fire nothing of it'
    when missing.name is not null then 'has no column ' || missing.name
    when own.updates and i.indrelid is null
      then 'has no primary key, by which a row is the same before and after an update' end,
  own.schema,
  array_to_string(array(
    select a.attname from unnest(i.indkey::smallint[]) with ordinality k (number, place)
    join pg_attribute a on (a.attrelid, a.attnum) = (c.oid, k.number)
    order by k.place), e'\n'),
  exists (
    select from pg_attribute a
    join pg_type t on t.oid = a.atttypid
    join pg_type e on e.oid = coalesce(nullif(t.typelem, 0), nullif(t.typbasetype, 0), t.oid)
    where a.attrelid = c.oid and a.attname::text = any (string_to_array(own.recorded, e'\n')) and not a.attisdropped
      and (e.typcategory in ('D', 'T', 'A', 'C', 'R')
        or e.oid in ('real'::regtype, 'double precision'::regtype, 'bytea'::regtype, 'money'::regtype))),
  array_to_string(array(
    select a.attname from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and a.attname::text = any (string_to_array(own.conditional, e'\n'))
    order by a.attname), e'\n')
from (
  select coalesce(nullif(schema, ''), current_schema()) as schema, name, columns, recorded, updates, conditional,
    place
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::text[])
    with ordinality u (schema, name, columns, recorded, updates, conditional, place)
) own
left join pg_class c on c.oid = to_regclass(format('%I.%I', own.schema, own.name))
left join pg_index i on i.indrelid = c.oid and i.indisprimary
left join lateral (
  select u.name
  from unnest(string_to_array(own.columns, e'\n')) u (name)
  where not exists (
    select from pg_attribute a
    where a.attrelid = c.oid and a.attname = u.name::name and a.attnum > 0 and not a.attisdropped)
  limit 1) missing on true
order by own.place
