-- Lists differences between triggers and the stored definitions of jobs that are not retired. $1: the jobs, or null for
-- all jobs in the schema. Rows: one sentence for each difference. Locks: none.
with own_topic as (
  select j.name, topic
  from job j, unnest(array_remove(j.topics, 'table/' || j.name)) t (topic)
  where j.retired_at is null and ($1::text[] is null or j.name = any ($1))
)
select 'nothing records the topic ' || own.topic || ' of job ' || own.name as gap
from own_topic own
where own.topic <> 'log.restarted'
  and not exists (select from event_trigger t where t.topic = own.topic)
union all
select 'the trigger ' || t.name || ' on ' || t.relation || ' is disabled'
from own_topic own
join event_trigger t on t.topic = own.topic
where not t.is_enabled
union all
select 'the trigger ' || o.name || ' on ' || o.relation || ' is missing'
from schema_object o
where o.kind = 'trigger' and not exists (
  select from pg_trigger t where t.tgrelid = to_regclass(o.relation) and t.tgname = o.name)
union all
select 'the trigger ' || o.name || ' on ' || o.relation || ' is disabled'
from schema_object o
join pg_trigger t on t.tgrelid = to_regclass(o.relation) and t.tgname = o.name
where o.kind = 'trigger' and o.relation in ('audit', 'audit_chain') and t.tgenabled not in ('O', 'A')
order by 1
