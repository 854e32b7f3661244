-- Lists differences between a program's definitions and those in the schema. $1: the program's jobs. $2: the subscribed
-- topics (one per line). $3: the debounces. $4: the maximum delays in ms. $5: true if history is stored. $6: the
-- throttle intervals in ms (0 for no throttle). $7: the schedules' jobs. $8: the schedules' names. $9: their
-- expressions. $10: their time zones ('' for no time zone). $11: their policies for missed occurrences. $12: their
-- payloads. Rows: one sentence for each difference. Locks: none. The dashboard role, which may not read payloads, also
-- executes the statement.
with own as (
  select *, string_to_array(topic_lines, e'\n') as topics
  from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::boolean[], $6::bigint[])
    as o (name, topic_lines, quiet_ms, at_most_ms, keeps_history, every_ms)
),
own_schedule as (
  select * from unnest($7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[])
    as o (job, name, expression, time_zone, missed, payload)
)
select 'job ' || own.name || ' is not registered in the schema' as gap
from own
where not exists (select from job j where j.name = own.name)
union all
select 'job ' || own.name || ' is registered with another trigger or debounce'
from own
join job j on j.name = own.name
where (j.topics, j.quiet, j.at_most, j.every) is distinct from
  (own.topics || ('table/' || own.name), own.quiet_ms * interval '1 millisecond',
    own.at_most_ms * interval '1 millisecond', nullif(own.every_ms, 0) * interval '1 millisecond')
union all
select 'job ' || own.name || ' is registered as one that keeps '
  || case when j.keeps_history then 'history' else 'no history' end
from own
join job j on j.name = own.name
where j.keeps_history <> own.keeps_history
union all
select 'the schedule' || rtrim(' ' || name) || ' of job ' || job || case
  when exists (select from schedule m where m.job = own.job and m.name = own.name and m.source = 'sql')
    then ' was made at run time, so the declared schedule is not registered'
  when s.expression is null then ' is not registered in the schema'
  when own.expression is null then ' is registered, but the job has none'
  else ' is registered as another' end
from own_schedule own
full join (
  select job, name, expression, time_zone, missed from schedule where job = any ($1) and source = 'program') s
  using (job, name)
where job not in (select j.name from job j where j.retired_at is not null)
  and ((s.expression, coalesce(s.time_zone, ''), s.missed)
    is distinct from (own.expression, own.time_zone, own.missed)
    or is_other_payload(job, name, own.payload::jsonb))
order by 1
