-- Contains the triggers that record events, with their topics. The topic is the trigger's first argument.
create or replace view event_trigger with (security_invoker = true) as
select t.tgrelid::regclass::text as relation, t.tgname::text as name,
  convert_from(substr(t.tgargs, 1, position('\x00'::bytea in t.tgargs) - 1), 'UTF8') as topic,
  t.tgenabled in ('O', 'A') as is_enabled
from pg_trigger t
join pg_class c on c.oid = t.tgrelid
where t.tgnargs > 0 and not t.tgisinternal and c.relnamespace = current_schema()::regnamespace
