-- Where definitions, triggers and schema do not agree. $1 jobs, $2 topics ('' for none), $3 quiet
-- and $4 at most in milliseconds, as this binary defines them. Rows: one gap a line of text.
-- Locks: none.
with own as (
  select * from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[])
    as o (name, topic, quiet_ms, at_most_ms)
)
select 'job ' || own.name || ' is not entered in the schema'
from own
where not exists (select from job j where j.name = own.name)
union all
select 'job ' || own.name || ' is entered with another trigger or debounce'
from own
join job j on j.name = own.name
where (coalesce(j.topic, ''), j.quiet, j.at_most) is distinct from
  (own.topic, own.quiet_ms * interval '1 millisecond', own.at_most_ms * interval '1 millisecond')
union all
select 'nothing records the topic ' || own.topic || ' of job ' || own.name
from own
where own.topic not in ('', 'log.restarted') and not exists (select from event_source s where s.topic = own.topic)
union all
select 'the trigger ' || s.trigger_name || ' on ' || s.relation || ' is '
  || case when t.tgenabled is null then 'missing' else 'disabled' end
from own
join event_source s on s.topic = own.topic
left join pg_trigger t on t.tgrelid = to_regclass(s.relation) and t.tgname = s.trigger_name
where coalesce(t.tgenabled, 'D') not in ('O', 'A')
order by 1
