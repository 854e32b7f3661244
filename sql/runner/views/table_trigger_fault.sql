-- Contains one sentence for each fault of a trigger that a job declares. If several faults have the same cause, the
-- view contains only the first fault.
-- needs: table_trigger_state
create or replace view table_trigger_fault with (security_invoker = true) as
with declared as (
  select t.*, c.oid as relation,
    case when t.table_schema = current_schema() then '' else t.table_schema || '.' end || t.table_name
      as table_text,
    array(
      select u.name
      from unnest(t.columns) u (name)
      where not exists (
        select from pg_attribute a
        where a.attrelid = c.oid and a.attname = u.name::name and not a.attisdropped)) as missing
  from table_trigger t
  left join pg_class c on c.oid = to_regclass(format('%I.%I', t.table_schema, t.table_name))
)
select d.name, d.job, 'the table ' || d.table_text || ', which wakes job ' || d.job || ', is not there'
  as fault
from declared d
where d.relation is null
union all
select d.name, d.job, 'the table ' || d.table_text || ' has no column ' || d.missing[1]
  || ', which the trigger of job ' || d.job || ' reads: its writes fail'
from declared d
where d.relation is not null and d.missing <> '{}'
union all
select d.name, d.job, 'the trigger ' || s.trigger || ' on ' || d.table_text || ' of job ' || d.job || case
  when not s.is_there then ' is missing'
  when not s.is_enabled then ' is disabled'
  else ' is another' end
from declared d
join table_trigger_state s using (name)
where d.relation is not null and not s.is_right
union all
select d.name, d.job, 'the function ' || s.trigger || ' of job ' || d.job || ' is another'
from declared d
join table_trigger_state s using (name)
where d.relation is not null and s.is_right and not s.is_function_right
union all
select d.name, d.job, 'the view ' || d.name || ' of job ' || d.job
  || ' is missing: columns that it reads can be dropped'
from declared d
where d.relation is not null and d.missing = '{}' and not exists (
  select from pg_class v where v.relnamespace = current_schema()::regnamespace
    and v.relname = d.name::name and v.relkind = 'v')
