-- Lists schedules that were created at run time. If `job` or `name` is null, the parameter applies no filter. `next_at`
-- is the next occurrence. The function runs with the definer's privileges. Locks: none. Index: schedule_pkey.
create or replace function list_schedules(job text default null, name text default null)
returns table (job_name text, schedule_name text, expression text, time_zone text, missed text, payload jsonb, key text,
  until timestamptz, next_at timestamptz, last_at timestamptz, paused_at timestamptz)
language sql stable security definer set search_path from current as $$
select s.job, s.name, s.expression, s.time_zone, s.missed, s.payload, s.key, s.until,
  s.next_at, s.last_at, s.paused_at
from schedule s
where s.source = 'sql' and (list_schedules.name is null or s.name = list_schedules.name)
  and (list_schedules.job is null
    or s.job = coalesce((select a.job from job_alias a where a.name = list_schedules.job), list_schedules.job))
order by s.job, s.name
$$
