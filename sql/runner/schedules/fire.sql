-- Records occurrences. If an occurrence was not recorded before and its outcome is fired, appends an event for it. $1
-- jobs, $2 names of their schedules, $3 times, $4 keys, $5 outcomes: fired or skipped. Rows: one for each event. Locks:
-- only the new rows. If another session records the same occurrence, this one waits for it.
with given as (
  select * from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[])
    as g (job, name, scheduled_at, key, outcome)
),
recorded as (
  insert into occurrence (job, name, scheduled_at, fired_at, outcome)
  select job, name, scheduled_at, domain_now(), outcome from given order by job, name, scheduled_at
  on conflict (job, name, scheduled_at) do nothing
  returning job, name, scheduled_at
)
select enqueue(g.job, g.key,
  coalesce(s.payload, '{}') || jsonb_build_object('scheduled_at', iso_text(g.scheduled_at)))
from given g
join recorded using (job, name, scheduled_at)
left join schedule s using (job, name)
where g.outcome = 'fired'
order by g.job, g.scheduled_at, g.name
