-- Lists all schedules, ordered by job. Rows: job, name, whether the schedule is paused, time of the next occurrence,
-- delay of an overdue occurrence in ms. If the schedule will not fire, or if the schedule uses another clock, the time
-- is null. If the next occurrence is not overdue, the delay is null. Locks: none. Index: schedule_pkey.
select s.job, s.name, s.paused_at is not null, w.fires_at,
  case when w.fires_at < domain_now() then
    (extract(epoch from domain_now() - w.fires_at) * 1000)::bigint end
from schedule s
left join waiting_schedule w using (job, name)
order by s.job, s.name
