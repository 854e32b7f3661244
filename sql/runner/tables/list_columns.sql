-- Lists columns of a table with their types, quoted for CREATE TABLE. $1: the schema. $2: the table. $3: the columns. Rows: one
-- text. Locks: none.
select coalesce(string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' order by a.attnum), '')
from pg_attribute a
where a.attrelid = to_regclass(format('%I.%I', $1::text, $2::text)) and a.attnum > 0 and not a.attisdropped
  and a.attname::text = any ($3::text[])
