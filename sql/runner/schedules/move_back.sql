-- Checks at most 250 schedules of the jobs $1, ordered by job and name. If the stored next occurrence of a schedule is
-- later than its real next occurrence, the statement corrects the stored occurrence. $1: the job names, or null for all
-- jobs. $2 and $3: the job and the name of the schedule after which the check begins. A schedule that another
-- transaction is changing concurrently is not corrected. Rows: one row with the job and the name of the last checked
-- schedule, and the number of checked schedules, or no row if none was checked. Locks: the rows of the corrected
-- schedules, SKIP LOCKED, because another worker may be firing or correcting a schedule. Index: schedule_pkey.
with checked as materialized (
  select job, name, expression, time_zone, next_at
  from schedule
  where job = any (coalesce($1, array(select j.name from job j))) and (job, name) > ($2, $3)
    and paused_at is null and next_at is not null and in_development = exists (select from development)
    and not exists (select from development where not fires_schedules)
  order by job, name
  limit 250
),
correct as materialized (
  select job, name, next_at as stored, next_occurrence_or_null(expression, time_zone, domain_now()) as next_at
  from checked
),
late as (
  select s.job, s.name, c.next_at
  from correct c
  join schedule s on s.job = c.job and s.name = c.name and s.next_at = c.stored
  where c.stored > c.next_at
  for update of s skip locked
),
moved as (
  update schedule s set next_at = late.next_at from late where s.job = late.job and s.name = late.name
)
select job, name, (select count(*) from checked) from checked order by job desc, name desc limit 1
