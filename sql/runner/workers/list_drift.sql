-- Where definitions, triggers and schema do not agree. $1 jobs, $2 topics, a line each, $3 quiet
-- and $4 at most in milliseconds, $5 whether they keep history, $6 the intervals of leading edges in
-- milliseconds (0: none); of each schedule $7 the job, $8 name, $9 expression, $10 time zone ('': none), $11 what
-- becomes of missed occurrences and $12 the payload of its runs; all as this binary defines them.
-- Rows: a text for each difference, and whether it was found by looking at triggers. Locks: none.
with own as (
  select *, string_to_array(topic_lines, e'\n') as topics
  from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::boolean[], $6::bigint[])
    as o (name, topic_lines, quiet_ms, at_most_ms, keeps_history, every_ms)
),
own_schedule as (
  select * from unnest($7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[])
    as o (job, name, expression, time_zone, missed, payload)
),
own_topic as (
  select name, topic from own, unnest(topics) t (topic)
)
select 'job ' || own.name || ' is not registered in the schema' as gap, false as is_of_triggers
from own
where not exists (select from job j where j.name = own.name)
union all
select 'job ' || own.name || ' is registered with another trigger or debounce', false
from own
join job j on j.name = own.name
where (j.topics, j.quiet, j.at_most, j.every) is distinct from
  (own.topics || ('table/' || own.name), own.quiet_ms * interval '1 millisecond',
    own.at_most_ms * interval '1 millisecond', nullif(own.every_ms, 0) * interval '1 millisecond')
union all
select 'job ' || own.name || ' is registered as one that keeps '
  || case when j.keeps_history then 'history' else 'no history' end, false
from own
join job j on j.name = own.name
where j.keeps_history <> own.keeps_history
union all
select 'the schedule' || rtrim(' ' || name) || ' of job ' || job || case
  when s.expression is null then ' is not registered in the schema'
  when own.expression is null then ' is registered, but the job has none'
  else ' is registered as another' end, false
from own_schedule own
full join (select * from schedule where job = any ($1)) s using (job, name)
where (s.expression, coalesce(s.time_zone, ''), s.missed)
    is distinct from (own.expression, own.time_zone, own.missed)
  or s.payload is distinct from own.payload::jsonb
union all
select 'nothing records the topic ' || own.topic || ' of job ' || own.name, true
from own_topic own
where own.topic <> 'log.restarted'
  and not exists (select from event_trigger t where t.topic = own.topic)
union all
select 'the trigger ' || t.name || ' on ' || t.relation || ' is disabled', true
from own_topic own
join event_trigger t on t.topic = own.topic
where not t.is_enabled
union all
select 'the trigger ' || o.name || ' on ' || o.relation || ' is missing', true
from schema_object o
where o.kind = 'trigger' and not exists (
  select from pg_trigger t where t.tgrelid = to_regclass(o.relation) and t.tgname = o.name)
union all
select 'the trigger ' || o.name || ' on ' || o.relation || ' is disabled', true
from schema_object o
join pg_trigger t on t.tgrelid = to_regclass(o.relation) and t.tgname = o.name
where o.kind = 'trigger' and o.relation in ('audit', 'audit_chain') and t.tgenabled not in ('O', 'A')
order by 1
