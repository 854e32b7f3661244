-- Locks the due schedules of jobs that the caller knows. $1 jobs. Rows: job, name, expression, time zone, missed, next
-- occurrence, delay in microseconds, domain time. Locks: their rows, SKIP LOCKED: a schedule that another worker is
-- firing is left to that worker.
select s.job, s.name, s.expression, s.time_zone, s.missed, s.next_at,
  (extract(epoch from w.delay) * 1000000)::bigint, domain_now()
from schedule s
join waiting_schedule w on w.job = s.job and w.name = s.name and w.next_at = s.next_at
where s.job = any ($1) and w.fires_at <= domain_now()
order by s.job, s.name
for update of s skip locked
