-- Records occurrences of schedules, and enqueues a run for each newly recorded occurrence with the outcome `fired`. An
-- occurrence that was skipped while the clock was fast can still fire. $1: the job names. $2: the schedules' names. $3:
-- the times of the occurrences. $4: the run keys. $5: the outcomes (`fired` or `skipped`). Rows: one row for each
-- enqueued run. Locks: the occurrences. If another transaction records the same occurrence, the statement waits for
-- that transaction.
with given as (
  select * from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[])
    as g (job, name, scheduled_at, key, outcome)
),
recorded as (
  insert into occurrence as o (job, name, scheduled_at, fired_at, outcome)
  select job, name, scheduled_at, domain_now(), outcome from given order by job, name, scheduled_at
  on conflict (job, name, scheduled_at) do update
  set outcome = 'fired', fired_at = excluded.fired_at
  where o.outcome = 'skipped' and excluded.outcome = 'fired'
  returning job, name, scheduled_at
)
select enqueue(g.job, g.key,
  coalesce(s.payload, '{}') || jsonb_build_object('scheduled_at', iso_text(g.scheduled_at)))
from given g
join recorded using (job, name, scheduled_at)
left join schedule s using (job, name)
where g.outcome = 'fired'
order by g.job, g.scheduled_at, g.name
