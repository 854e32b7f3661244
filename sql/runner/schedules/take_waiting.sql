-- Locks and lists the schedules of some jobs that will fire. $1: the jobs that the caller knows. Rows: the same columns
-- as in take_due. Locks: the rows of the schedules, SKIP LOCKED, because another worker may be firing a schedule.
select s.job, s.name, s.expression, s.time_zone, s.missed, s.next_at,
  (extract(epoch from w.delay) * 1000000)::bigint, domain_now()
from schedule s
join waiting_schedule w on w.job = s.job and w.name = s.name and w.next_at = s.next_at
where s.job = any ($1) and w.fires_at > domain_now()
order by s.job, s.name
for update of s skip locked
