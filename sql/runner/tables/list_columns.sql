-- Lists a table's columns and their types, quoted for CREATE TABLE. $1: the schema. $2: the table. $3: the columns. The
-- statement qualifies the names of functions with their schema, because the result becomes part of another statement.
-- Rows: one row with the list of columns as text. Locks: none.
select coalesce(
  pg_catalog.string_agg(
    pg_catalog.format('%I %s', a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod)), ', ' order by a.attnum), '')
from pg_catalog.pg_attribute a
where a.attrelid = pg_catalog.to_regclass(pg_catalog.format('%I.%I', $1::text, $2::text)) and a.attnum > 0
  and not a.attisdropped and a.attname::text = any ($3::text[])
