-- Records occurrences, and appends an event for each that shall run and was not recorded before.
-- $1 jobs, $2 times, $3 keys, $4 outcomes: fired or skipped. Rows: one for each event.
-- Locks: none but the new rows: whoever records the same occurrence at the same moment is waited for.
with given as (
  select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[])
    as g (job, scheduled_at, key, outcome)
),
recorded as (
  insert into occurrence (job, scheduled_at, fired_at, outcome)
  select job, scheduled_at, domain_now(), outcome from given order by job, scheduled_at
  on conflict (job, scheduled_at) do nothing
  returning job, scheduled_at
)
select enqueue(g.job, g.key,
  coalesce(s.payload, '{}') || jsonb_build_object('scheduled_at', iso_text(g.scheduled_at)))
from given g
join recorded using (job, scheduled_at)
left join schedule s on s.job = g.job
where g.outcome = 'fired'
order by g.job, g.scheduled_at
