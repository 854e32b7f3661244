-- Locks and lists due schedules of some jobs, the oldest occurrences of each job first, at most 500 for each job. $1: the jobs
-- that the caller knows. $2, $3: the places of an earlier poll, as in the poll's columns job and due. $4: time zones and
-- expressions that the caller cannot read. Rows: job, name, expression, time zone, policy, next occurrence, delay in
-- microseconds, domain time. The last columns are key, end, and size of the payload in bytes. The jobs take turns, so that no
-- job waits for another job's backlog. Locks: the rows of the schedules, SKIP LOCKED, because another worker may already be
-- firing a schedule. Index: schedule_due. A retired job has no turn, because `enqueue` would refuse the job's runs, and the
-- whole firing would be undone.
select s.job, s.name, s.expression, s.time_zone, s.missed, s.next_at, (extract(epoch from j.delay) * 1000000)::bigint,
  domain_now(), s.key, s.until, coalesce(pg_column_size(s.payload), 0)
from (
  select job.name,
    coalesce(m.due, (select o.due from unnest($2::text[], $3::timestamptz[]) o (job, due) where o.job = '*'),
      '-infinity') as front,
    -- With a longer delay, the subtraction would leave the range of timestamps.
    least(extract(epoch from coalesce(d.delay, '0'))::double precision, 31000000000) * interval '1 second' as delay
  from job
  left join schedule_delay d on d.job = job.name
  left join unnest($2::text[], $3::timestamptz[]) m (job, due) on m.job = job.name
  where job.name = any ($1) and job.retired_at is null and not exists (select from development where not fires_schedules)
) j,
lateral (
  select * from schedule
  where job = j.name and in_development = exists (select from development) and paused_at is null
    and next_at is not null and next_at >= j.front and next_at <= domain_now() - j.delay
    and expression <> all ($4::text[]) and coalesce(time_zone, '') <> all ($4::text[])
  order by next_at
  limit 500
  for update skip locked) s
order by row_number() over (partition by s.job order by s.next_at), s.job
