-- Contains each trigger that a job declares. `is_there` is true if the trigger exists. `is_function_right` and
-- `is_right` are true if the function and the trigger are unchanged since `migrate`. The view compares the trigger's
-- kind and the function's text. Renaming an object changes neither the trigger's kind nor the function's text.
create or replace view table_trigger_state with (security_invoker = true) as
select d.name, o.operation, d.name || '_' || o.operation as trigger, t.oid is not null as is_there,
  t.tgenabled in ('O', 'A') as is_enabled,
  f.oid is not null
    and encode(sha256(convert_to(f.prosrc, 'UTF8')), 'hex') = d.bodies[o.place]
    and f.prosecdef as is_function_right,
  coalesce(
    t.tgenabled in ('O', 'A') and t.tgfoid = f.oid and t.tgqual is null
      and t.tgtype = case o.operation when 'insert' then 4 when 'delete' then 8 else 16 end,
    false) as is_right
from table_trigger d
cross join unnest(d.operations) with ordinality o (operation, place)
left join pg_proc f on f.pronamespace = current_schema()::regnamespace
  and f.proname = (d.name || '_' || o.operation)::name
left join pg_trigger t on t.tgrelid = to_regclass(format('%I.%I', d.table_schema, d.table_name))
  and t.tgname = (d.name || '_' || o.operation)::name
