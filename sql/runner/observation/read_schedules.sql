-- The stored schedules. $1 job or null for all, $2 the name of one or null for all. Rows: job, name, expression, time
-- zone, missed, next and last occurrence, when that fired, paused since, delay in ms. Locks: none. Index:
-- schedule_pkey.
select s.job, s.name, s.expression, s.time_zone, s.missed, s.next_at, s.last_at, s.last_fired_at, s.paused_at,
  (extract(epoch from coalesce(d.delay, '0')) * 1000)::bigint
from schedule s
left join schedule_delay d using (job)
where ($1::text is null or s.job = $1) and ($2::text is null or s.name = $2)
order by s.job, s.name
