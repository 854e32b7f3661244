-- Records occurrences of a schedule that have not fired or were skipped, and enqueues a run for each occurrence. $1:
-- the job's name. $2: the schedule's name. $3: the times of the occurrences. $4: the run keys. Rows: one row for each
-- enqueued run. If the schedule does not exist, no rows are returned. Locks: the occurrences. If another transaction
-- records the same occurrence, the statement waits for that transaction.
with given as (
  select g.scheduled_at, g.key, s.payload
  from unnest($3::timestamptz[], $4::text[]) as g (scheduled_at, key)
  join schedule s on s.job = $1 and s.name = $2
),
recorded as (
  insert into occurrence as o (job, name, scheduled_at, fired_at, outcome)
  select $1, $2, scheduled_at, domain_now(), 'backfilled' from given order by scheduled_at
  on conflict (job, name, scheduled_at) do update
  set outcome = 'backfilled', fired_at = excluded.fired_at
  where o.outcome = 'skipped'
  returning scheduled_at
)
select enqueue($1, g.key,
  coalesce(g.payload, '{}') || jsonb_build_object('scheduled_at', iso_text(g.scheduled_at)))
from given g
join recorded using (scheduled_at)
order by g.scheduled_at
