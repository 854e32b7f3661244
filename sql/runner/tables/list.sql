-- Compares the triggers that were created for declarations with the triggers of this program. $1: the names of the
-- program's triggers. $2: the texts of the program's triggers. Rows: one row for each table with such triggers, or one
-- row without a table. Columns: name, program, the table's current schema and name, declared operations, operations
-- with a trigger on the table, operations with a correct trigger, a boolean, the faults. The boolean is true if the
-- stored text equals the program's text, and null if the program does not declare the trigger. Operations are separated
-- by commas, and faults by line breaks. If a table was renamed or replaced, the statement still finds its triggers.
-- Locks: none.
select t.name, t.program, place.schema, place.name, array_to_string(t.operations, ','),
  coalesce(place.operations, ''),
  array_to_string(array(
    select s.operation from table_trigger_state s where s.name = t.name and s.is_right), ','),
  encode(sha256(convert_to(own.text, 'UTF8')), 'hex') = t.sha256,
  array_to_string(array(
    select f.fault from table_trigger_fault f where f.name = t.name order by 1), e'\n')
from table_trigger t
left join unnest($1::text[], $2::text[]) own (name, text) on own.name = t.name
left join lateral (
  select c.relnamespace::regnamespace::name as schema, c.relname as name,
    string_agg(o.operation, ',') as operations
  from unnest(array['insert', 'update', 'delete']) o (operation)
  join pg_proc f on f.pronamespace = current_schema()::regnamespace
    and f.proname = (t.name || '_' || o.operation)::name
  join pg_trigger g on g.tgfoid = f.oid and g.tgname = f.proname
  join pg_class c on c.oid = g.tgrelid
  group by 1, 2) place on true
order by t.name, place.schema, place.name
