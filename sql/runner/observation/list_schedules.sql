-- Lists the schedules that programs declare, ordered by job. A job can also have many schedules that were created at
-- run time, for example one for each tenant. Of these run-time schedules, the list contains only the earliest one for
-- each job. In the list, a run-time schedule has the name `*`. Rows: job, name, whether the schedule is paused, time of
-- the next firing, delay of an overdue firing in ms. If the schedule will not fire, or if the next occurrence was
-- computed with another clock (server or development), the time is null. If the schedule is not overdue, the delay is
-- null. Locks: none. Index: schedule_due.
select s.job, s.name, s.paused_at is not null, w.fires_at,
  case when w.fires_at < domain_now() then
    (extract(epoch from domain_now() - w.fires_at) * 1000)::bigint end
from schedule s
left join waiting_schedule w using (job, name)
where s.source = 'program'
union all
select e.job, '*', false, e.fires_at,
  case when e.fires_at < domain_now() then
    (extract(epoch from domain_now() - e.fires_at) * 1000)::bigint end
from (select name from job where retired_at is null) j, lateral (
  select w.job, w.fires_at from waiting_schedule w
  where w.job = j.name and w.source = 'sql'
  order by w.next_at
  limit 1) e
order by 1, 2
