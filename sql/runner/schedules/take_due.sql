-- Locks and lists the due schedules of some jobs. $1: the jobs that the caller knows. Rows: job, name, expression, time
-- zone, policy for missed occurrences, next occurrence, delay in microseconds, domain time. Locks: the rows of the
-- schedules, SKIP LOCKED, because another worker may already be firing a schedule.
select s.job, s.name, s.expression, s.time_zone, s.missed, s.next_at,
  (extract(epoch from w.delay) * 1000000)::bigint, domain_now()
from schedule s
join waiting_schedule w on w.job = s.job and w.name = s.name and w.next_at = s.next_at
where s.job = any ($1) and w.fires_at <= domain_now()
order by s.job, s.name
for update of s skip locked
