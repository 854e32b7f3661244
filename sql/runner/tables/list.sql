-- The triggers of declarations that were made here, and those of this binary. $1 the binary's names, $2 its texts.
-- Rows: name, program, present schema and name of the table that has its triggers, even if it was renamed (null: none),
-- operations, those of them with a trigger, those of them with a correct trigger, each with commas; whether the text is
-- that of the binary (null: it has none), the faults, a line each. Locks: none.
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
  group by 1, 2
  limit 1) place on true
order by t.name
